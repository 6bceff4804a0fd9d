// Honest shoes by the hundred million: how often they show runs. bench/watch_honest.py builds this, runs it and sets the
// counts beside the exact ones. One chain of shoes a thread; each shoe is compared with the one before it, as dealt and
// as picked up, both ways, and with two orders of a new deck, both ways. With a plain C++ compiler it runs on the CPU.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#ifdef __CUDACC__
#define DEVICE __device__ __forceinline__
#else
#define DEVICE static inline
#endif

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;

enum { CARDS = 416, SYMBOLS = 52, COPIES = 8, LONGEST = 16, DECKS = 104 };

// counts[0][L]: places of the shoe and of the last one whose last L cards are the same; counts[1][L]: the same for new
// decks; counts[2][L]: runs that reach L cards, counted once; counts[3][0]: shoes.
struct Counts {
    u64 at[4][LONGEST + 1];
};

DEVICE u64 next(u64 &state) {  // splitmix64
    u64 z = (state += 0x9E3779B97F4A7C15ull);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    return z ^ (z >> 31);
}

DEVICE void shuffle(u8 *shoe, u64 &state) {
    for (int i = 0; i < CARDS; i++) shoe[i] = i % SYMBOLS;
    for (int i = 0; i < CARDS - 1; i++) {
        u32 j = i + (u32)(((next(state) >> 32) * (u64)(CARDS - i)) >> 32);
        u8 kept = shoe[i];
        shoe[i] = shoe[j];
        shoe[j] = kept;
    }
}

// Six cards a round, picked up P3 P1 P2 B3 B1 B2 where dealt P1 B1 P2 B2 P3 B3; the last two stay.
DEVICE int picked(int j) {
    const u8 order[6] = {1, 4, 2, 5, 0, 3};
    return j >= 414 ? j : j - j % 6 + order[j % 6];
}
DEVICE int dealt(int q) {
    const u8 order[6] = {4, 0, 2, 5, 1, 3};
    return q >= 414 ? q : q - q % 6 + order[q % 6];
}

DEVICE int new_deck(int order, int place) {  // symbol is 4 * rank + suit, S H D C
    place %= 52;
    int suit = place / 13, rank = place % 13;
    if (order == 0) {
        const u8 suits[4] = {0, 2, 3, 1};
        return 4 * (suit < 2 ? rank : 12 - rank) + suits[suit];
    }
    const u8 suits[4] = {0, 1, 3, 2};
    return 4 * rank + suits[suit];
}

DEVICE int card_of(const u8 *last, int kind, int place) { return last[kind ? dealt(place) : place]; }

DEVICE void run(const u8 *now, const u8 *last, int kind, int way, int t, int place, u32 *seen, u32 *reach) {
    int length = 1;
    for (int at = place - way, back = t - 1; back >= 0 && at >= 0 && at < CARDS; at -= way, back--, length++)
        if (card_of(last, kind, at) != now[back]) break;
    if (length > LONGEST) length = LONGEST;
    if (length > 1) {
        for (int l = 2; l <= length; l++) seen[l]++;
        reach[length]++;
    }
}

DEVICE void chain(u64 seed, u32 shoes, Counts *out) {
    u8 one[CARDS], other[CARDS], *now = one, *last = other;
    u16 places[CARDS];
    u32 seen[LONGEST + 1] = {0}, fresh[LONGEST + 1] = {0}, reach[LONGEST + 1] = {0};
    u64 state = seed;
    shuffle(last, state);
    for (u32 shoe = 0; shoe < shoes; shoe++) {
        u8 used[SYMBOLS] = {0};
        for (int j = 0; j < CARDS; j++) places[last[j] * COPIES + used[last[j]]++] = j;
        shuffle(now, state);
        for (int t = 1; t < CARDS; t++) {
            u8 before = now[t - 1];
            for (int c = 0; c < COPIES; c++) {
                int j = places[now[t] * COPIES + c];
                for (int kind = 0; kind < 2; kind++) {
                    int place = kind ? picked(j) : j;
                    if (place > 0 && card_of(last, kind, place - 1) == before) run(now, last, kind, 1, t, place, seen, reach);
                    if (place + 1 < CARDS && card_of(last, kind, place + 1) == before)
                        run(now, last, kind, -1, t, place, seen, reach);
                }
            }
        }
        for (int t = 1; t < CARDS; t++)
            for (int order = 0; order < 2; order++) {
                int suit = now[t] & 3, rank = now[t] >> 2, at;
                if (order == 0) {
                    int s = suit == 0 ? 0 : suit == 2 ? 1 : suit == 3 ? 2 : 3;
                    at = 13 * s + (s < 2 ? rank : 12 - rank);
                } else {
                    int s = suit == 3 ? 2 : suit == 2 ? 3 : suit;
                    at = 13 * s + rank;
                }
                for (int copy = 0; copy < 2; copy++)
                    for (int way = 1; way >= -1; way -= 2) {
                        int place = at + 52 * copy, length = 1;
                        for (int p = place - way, back = t - 1; back >= 0 && p >= 0 && p < DECKS; p -= way, back--, length++)
                            if (new_deck(order, p) != now[back]) break;
                        if (length > LONGEST) length = LONGEST;
                        if (length > 1) {
                            for (int l = 2; l <= length; l++) fresh[l]++;
                            reach[length]++;
                        }
                    }
            }
        u8 *kept = now;
        now = last;
        last = kept;
    }
    for (int l = 0; l <= LONGEST; l++) {
#ifdef __CUDACC__
        atomicAdd(&out->at[0][l], (u64)seen[l]);
        atomicAdd(&out->at[1][l], (u64)fresh[l]);
        atomicAdd(&out->at[2][l], (u64)reach[l]);
#else
        out->at[0][l] += seen[l];
        out->at[1][l] += fresh[l];
        out->at[2][l] += reach[l];
#endif
    }
}

#ifdef __CUDACC__
__global__ void chains(u64 seed, u32 shoes, Counts *out) {
    u64 number = (u64)blockIdx.x * blockDim.x + threadIdx.x;
    u64 state = seed * 0xD1342543DE82EF95ull + number * 0xF1357AEA2E62A9C5ull;
    next(state);
    chain(next(state), shoes, out);
}
#endif

int main(int argc, char **argv) {
    u64 wanted = argc > 1 ? strtoull(argv[1], 0, 10) : 100000, seed = argc > 2 ? strtoull(argv[2], 0, 10) : 1;
    u32 each = 100;
    u64 count = (wanted + each - 1) / each;
    Counts total = {};
#ifdef __CUDACC__
    u32 threads = 128;
    u32 blocks = (u32)((count + threads - 1) / threads);
    count = (u64)blocks * threads;
    Counts *held;
    cudaMalloc(&held, sizeof(Counts));
    cudaMemset(held, 0, sizeof(Counts));
    chains<<<blocks, threads>>>(seed, each, held);
    if (cudaDeviceSynchronize() != cudaSuccess) return 1;
    cudaMemcpy(&total, held, sizeof(Counts), cudaMemcpyDeviceToHost);
#else
    for (u64 number = 0; number < count; number++) {
        u64 state = seed * 0xD1342543DE82EF95ull + number * 0xF1357AEA2E62A9C5ull;
        next(state);
        chain(next(state), each, &total);
    }
#endif
    total.at[3][0] = count * each;
    for (int row = 0; row < 4; row++) {
        for (int l = 0; l <= LONGEST; l++) printf("%llu ", total.at[row][l]);
        printf("\n");
    }
    return 0;
}
