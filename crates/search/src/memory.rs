//! The memory of tables, of searches and of solvers: words that begin as zero.
//!
//! Table accesses are random, so almost every one needs a TLB entry as well, and
//! with pages of 4 kB most of those miss: half of the Dots and Boxes solver's time
//! went there. The memory is therefore mapped on its own with a request for huge
//! pages, where the system has them. That made a table of 1 GB 1.6 times faster in
//! both solvers. A page costs nothing until it is touched, so a table may be larger
//! than its use.

use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};
use std::sync::atomic::AtomicU64;

use memmap2::MmapMut;

/// What consists of atomic words and nothing else.
///
/// # Safety
///
/// Any bytes are a valid value, and shared access to it is through atomics only.
pub unsafe trait AtomicWords {}

// SAFETY: it is one atomic word.
unsafe impl AtomicWords for AtomicU64 {}
// SAFETY: an array has nothing but its elements.
unsafe impl<T: AtomicWords, const N: usize> AtomicWords for [T; N] {}

/// A number of buckets of one type.
pub struct Memory<B> {
    map: MmapMut,
    bucket: PhantomData<B>,
}

impl<B: AtomicWords> Memory<B> {
    const BYTES: usize = size_of::<B>();

    /// So many buckets of zeros, at least one; half as many, again and again, while
    /// the system has less memory, but no fewer than `least`.
    ///
    /// # Panics
    ///
    /// If there is no memory for the least.
    pub fn zeroed(buckets: usize, least: usize) -> Memory<B> {
        // A page is a multiple of a bucket, so no bucket lies across two lines of
        // the cache.
        const { assert!(Self::BYTES.is_power_of_two() && Self::BYTES <= 64) };
        let mut buckets = buckets;
        let map = loop {
            let bytes = buckets.saturating_mul(Self::BYTES).min(isize::MAX as usize);
            match MmapMut::map_anon(bytes) {
                Ok(map) => break map,
                Err(_) if buckets / 2 >= least.max(1) => buckets /= 2,
                Err(error) => panic!("no memory for the smallest table: {error}"),
            }
        };
        // Without huge pages it is only slower.
        #[cfg(target_os = "linux")]
        let _ = map.advise(memmap2::Advice::HugePage);
        Memory { map, bucket: PhantomData }
    }

    /// Has the system provide all pages now, which else it does one by one when they are
    /// first touched; finding and clearing huge ones takes a search milliseconds.
    pub fn populate(&self) {
        // Without it the memory is the same, only slower at first.
        #[cfg(target_os = "linux")]
        let _ = self.map.advise(memmap2::Advice::PopulateWrite);
    }

    /// Asks the processor to load a bucket into its cache, without waiting for it.
    #[inline(always)]
    pub fn prefetch(&self, bucket: usize) {
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            let address = self.as_ptr().wrapping_add(bucket);
            // SAFETY: a prefetch is a hint that neither reads nor faults, whatever
            // the address.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(address.cast()) }
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = bucket;
    }
}

impl<B: AtomicWords> Deref for Memory<B> {
    type Target = [B];

    #[inline(always)]
    fn deref(&self) -> &[B] {
        // SAFETY: the map is aligned to a page, more than a bucket needs, is readable
        // and writable for `len` bytes and lives as long as the borrow; the rest is
        // what `AtomicWords` promises.
        unsafe {
            std::slice::from_raw_parts(self.map.as_ptr().cast(), self.map.len() / Self::BYTES)
        }
    }
}

impl<B: AtomicWords> DerefMut for Memory<B> {
    fn deref_mut(&mut self) -> &mut [B] {
        // SAFETY: as in `deref`; `&mut self` makes this borrow the only one.
        unsafe {
            let length = self.map.len() / Self::BYTES;
            std::slice::from_raw_parts_mut(self.map.as_mut_ptr().cast(), length)
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::Ordering::Relaxed;

    use super::*;

    #[test]
    fn words_begin_as_zero_and_keep_what_they_are_given() {
        for buckets in [1, 3, 512, 100_000] {
            let mut memory = Memory::<[AtomicU64; 8]>::zeroed(buckets, buckets);
            assert_eq!(memory.len(), buckets);
            memory.populate();
            assert!((&raw const memory[0]).addr().is_multiple_of(64));
            assert!(memory.iter().flatten().all(|word| word.load(Relaxed) == 0));
            for (number, word) in memory.iter().flatten().enumerate() {
                word.store(number as u64, Relaxed);
            }
            *memory[0][0].get_mut() += 7;
            let sum: u64 = memory.iter().flatten().map(|word| word.load(Relaxed)).sum();
            let last = 8 * buckets as u64 - 1;
            assert_eq!(sum, last * (last + 1) / 2 + 7);
        }
    }
    #[test]
    fn a_table_takes_what_the_system_has() {
        let memory = Memory::<[AtomicU64; 8]>::zeroed(1 << 58, 16);
        assert!(memory.len().is_power_of_two() && memory.len() >= 16);
        memory[memory.len() - 1][7].store(5, Relaxed);
        assert_eq!(memory[memory.len() - 1][7].load(Relaxed), 5);
    }
}
