/* A judge of our own: loads a library, plays random games against random moves
 * with it, and checks each answer by rules written down here once more.
 *
 * usage: judge LIBRARY OTHER MOVES SEED [GAMES]
 * MOVES 0 means one move and no more. GAMES, 24 without it, is the least number of
 * games.
 * LIBRARY plays; OTHER is loaded too, and plays the other side in every third
 * game. Prints one line: games, moves, the longest CPU time of a move in
 * milliseconds, the peak memory in kilobytes, the longest move by the wall clock in
 * milliseconds, and the most threads that were there after a move. In 24 games the
 * hole has been in every row.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

struct Point { int x; int y; };
typedef struct Point *(*get_point)(int, int, const int *, const int *, int, int, int, int);
typedef void (*clear_point)(struct Point *);

static int M, N, nox, noy, top[16], cells[256];

static double clock_ms(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return t.tv_sec * 1e3 + t.tv_nsec / 1e6;
}

/* The threads of this process; 1 where the system does not say. */
static int threads(void) {
    int count = 1;
    char line[256];
    FILE *status = fopen("/proc/self/status", "r");
    while (status && fgets(line, sizeof line, status))
        sscanf(line, "Threads: %d", &count);
    if (status)
        fclose(status);
    return count;
}

static unsigned long long state;
static int below(int n) {
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    return (int)((state >> 33) % (unsigned)n);
}

static int line(int x, int y, int dx, int dy, int who) {
    int n = 0;
    for (x += dx, y += dy; x >= 0 && x < M && y >= 0 && y < N && cells[x * N + y] == who;
         x += dx, y += dy)
        n++;
    return n;
}

static int wins(int x, int y, int who) {
    static const int d[4][2] = {{0, 1}, {1, 0}, {1, 1}, {1, -1}};
    for (int i = 0; i < 4; i++)
        if (line(x, y, d[i][0], d[i][1], who) + line(x, y, -d[i][0], -d[i][1], who) >= 3)
            return 1;
    return 0;
}

static int full(void) {
    for (int y = 0; y < N; y++)
        if (top[y] > 0)
            return 0;
    return 1;
}

/* Drops a stone and lowers the top, over the hole too. */
static int drop(int y, int who) {
    int x = top[y] - 1;
    cells[x * N + y] = who;
    top[y]--;
    if (y == noy && x == nox + 1)
        top[y]--;
    return x;
}

static void *load(const char *path, get_point *get, clear_point *clear) {
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        fprintf(stderr, "%s\n", dlerror());
        exit(2);
    }
    *get = (get_point)dlsym(library, "getPoint");
    *clear = (clear_point)dlsym(library, "clearPoint");
    if (!*get || !*clear) {
        fprintf(stderr, "%s: a function is missing\n", path);
        exit(2);
    }
    return library;
}

int main(int argc, char **argv) {
    if (argc != 5 && argc != 6)
        return 2;
    get_point get[2];
    clear_point clear[2];
    void *libraries[2] = {load(argv[1], &get[0], &clear[0]), load(argv[2], &get[1], &clear[1])};
    int wanted = atoi(argv[3]), moves = 0, games = 0;
    state = strtoull(argv[4], NULL, 10);
    double longest = 0, longest_wall = 0;
    int most_threads = 1, least_games = argc == 6 ? atoi(argv[5]) : 24;
    while (moves < wanted || games < least_games) {
        M = 9 + below(4);
        N = 9 + below(4);
        /* Every row in turn, so that the top and the bottom row are met. */
        nox = games % M;
        noy = below(N);
        for (int i = 0; i < M * N; i++)
            cells[i] = 0;
        for (int y = 0; y < N; y++)
            top[y] = M - (y == noy && nox == M - 1);
        int both = games % 3 == 2, mover = games % 2, lastx = -1, lasty = -1;
        /* Players 1 and 2 by seat; 0 is the library, 1 is the other one. */
        for (; !full(); mover = 1 - mover) {
            int x, y, who = mover + 1;
            if (mover == 0 || both) {
                int view[256];
                for (int i = 0; i < M * N; i++)
                    view[i] = cells[i] == 0 ? 0 : cells[i] == who ? 2 : 1;
                double before = clock_ms(CLOCK_PROCESS_CPUTIME_ID);
                double begun = clock_ms(CLOCK_MONOTONIC);
                struct Point *p = get[mover](M, N, top, view, lastx, lasty, nox, noy);
                double spent = clock_ms(CLOCK_PROCESS_CPUTIME_ID) - before;
                double passed = clock_ms(CLOCK_MONOTONIC) - begun;
                longest = spent > longest ? spent : longest;
                longest_wall = passed > longest_wall ? passed : longest_wall;
                most_threads = threads() > most_threads ? threads() : most_threads;
                if (!p) {
                    printf("no answer in game %d\n", games);
                    return 1;
                }
                x = p->x;
                y = p->y;
                clear[mover](p);
                moves++;
                if (y < 0 || y >= N || top[y] <= 0 || x != top[y] - 1 || (x == nox && y == noy)) {
                    printf("illegal move %d,%d in game %d, hole %d,%d\n", x, y, games, nox, noy);
                    return 1;
                }
                drop(y, who);
                if (wanted == 0)
                    goto done;
            } else {
                do
                    y = below(N);
                while (top[y] <= 0);
                x = drop(y, who);
            }
            lastx = x;
            lasty = y;
            if (wins(x, y, who))
                break;
        }
        games++;
    }
done:
    clear[0](NULL);
    dlclose(libraries[1]);
    dlclose(libraries[0]);
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    printf("%d %d %.0f %ld %.0f %d\n", games, moves, longest, usage.ru_maxrss, longest_wall,
           most_threads);
    return 0;
}
