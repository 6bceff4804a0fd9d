// The same shoes on a graphics card: one thread a shoe, integers only. `kernel.py` says what a shoe is.
//
// The build defines CARDS, NEEDED (cards that can be dealt), STOP (no round starts once so many are gone), SURE (rounds
// that every shoe has), BURN, ATOMS and, for a card, THREADS. `cells` is two tallies: sure rounds, then late ones.
// With PUNTO_HOST the file compiles as plain C++, where a "warp" is one shoe: the tests compare it with the CPU's engine.
//
// What makes it fast on a card: a shoe lies in shared memory in the thread's own bank (byte k of thread t at
// ((k / 4) * THREADS + t) * 4 + k % 4), unpaired cells are counted in shared memory, and every loop is uniform over the
// warp, so that its lanes stay together after the rare redraw and at the uneven ends of shoes. Sure rounds need no
// look at the cut card.

#define CELLS (ATOMS * 5)

#ifdef PUNTO_HOST
#include <cstdint>
typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int16_t i16;
#define DEVICE static inline
#define ANY(x) (x)
#define TOGETHER()
#define BYTE(k) shoe[k]
#else
typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;
typedef short i16;
#define DEVICE __device__ __forceinline__
#define ANY(x) __any_sync(0xffffffffu, x)
#define TOGETHER() __syncwarp()
#define BYTE(k) shoe[(((k) >> 2) * THREADS) * 4 + ((k) & 3)]
#endif

struct Block {
    u32 word[4];
};

DEVICE Block philox(u32 block, u32 attempt, u64 index, u32 k0, u32 k1) {
    u32 c0 = block, c1 = attempt, c2 = (u32)index, c3 = (u32)(index >> 32);
#ifndef PUNTO_HOST
#pragma unroll
#endif
    for (int turn = 0; turn < 10; turn++) {
        u64 p0 = (u64)0xD2511F53u * c0, p1 = (u64)0xCD9E8D57u * c2;
        c0 = (u32)(p1 >> 32) ^ c1 ^ k0;
        c1 = (u32)p1;
        c2 = (u32)(p0 >> 32) ^ c3 ^ k1;
        c3 = (u32)p0;
        k0 += 0x9E3779B9u;
        k1 += 0xBB67AE85u;
    }
    return Block{{c0, c1, c2, c3}};
}

// A card is its rank (ace 0 to king 12) times 16 plus its points. Suits change no tally.
DEVICE u8 card_of(u32 rank) { return (u8)(rank * 16 + (rank < 9 ? rank + 1 : 0)); }

// Fisher-Yates from the front, eight cards a block of random bits, redrawn until they are exactly uniform.
DEVICE void shuffle(u8 *shoe, u64 index, u32 k0, u32 k1, const u16 *least) {
    for (u32 base = 0; base < NEEDED; base += 8) {
        Block bits = philox(base >> 3, 0, index, k0, k1);
#ifndef PUNTO_HOST
#pragma unroll
#endif
        for (u32 lane = 0; lane < 8; lane++) {
            u32 i = base + lane;
            if (i >= NEEDED) break;
            u32 n = CARDS - i, floor = least[n];
            u32 product = ((bits.word[lane >> 1] >> ((lane & 1) * 16)) & 0xffffu) * n;
            bool again = (product & 0xffffu) < floor;
            for (u32 attempt = 1; ANY(again); attempt++) {
                if (again) {
                    Block more = philox(base >> 3, attempt, index, k0, k1);
                    product = ((more.word[lane >> 1] >> ((lane & 1) * 16)) & 0xffffu) * n;
                    again = (product & 0xffffu) < floor;
                }
                TOGETHER();
            }
            u32 j = i + (product >> 16);
            u8 kept = BYTE(i);
            BYTE(i) = BYTE(j);
            BYTE(j) = kept;
        }
    }
}

// One round from `pos`: its cell, atom * 5 + pair flag. `deals` has for (points, points, third) the first of its atoms,
// negative less one where the Banker stands. Looks at six cards: at least so many lie behind the cut card.
DEVICE u32 deal_round(const u8 *shoe, u32 &pos, const i16 *deals, const u8 *player_draws) {
    u32 p1 = BYTE(pos), b1 = BYTE(pos + 1), p2 = BYTE(pos + 2), b2 = BYTE(pos + 3);
    u32 a = (p1 & 15) + (p2 & 15), b = (b1 & 15) + (b2 & 15);
    a -= a >= 10 ? 10 : 0;
    b -= b >= 10 ? 10 : 0;
    u32 row = a * 10 + b, draws = player_draws[row];
    u32 third = BYTE(pos + 4) & 15;
    pos += 4 + draws;
    int first = deals[row * 11 + (draws ? third : 10)];
    u32 fourth = BYTE(pos) & 15;
    u32 atom = first >= 0 ? first + fourth : -first - 1;
    pos += first >= 0;
    u32 in_player = (p1 >> 4) == (p2 >> 4), in_banker = (b1 >> 4) == (b2 >> 4);
    return atom * 5 + in_player + 2 * in_banker + (in_player & in_banker & ((p1 >> 4) == (b1 >> 4)));
}

DEVICE u32 start_of(const u8 *shoe) {
    if (!BURN) return 0;
    u32 rank = (BYTE(0) >> 4) + 1;
    return 1 + (rank < 10 ? rank : 10);
}

#ifdef PUNTO_HOST

extern "C" void deal_range(u32 k0, u32 k1, u64 first, u64 count, const i16 *deals, const u8 *player_draws,
                           const u16 *least, int64_t *cells) {
    static thread_local u8 shoe[CARDS];
    for (u64 index = first; index < first + count; index++) {
        for (u32 k = 0; k < CARDS; k++) shoe[k] = card_of((k >> 2) % 13);
        shuffle(shoe, index, k0, k1, least);
        u32 pos = start_of(shoe);
        for (u32 round = 0; round < SURE; round++) cells[deal_round(shoe, pos, deals, player_draws)]++;
        while (pos < STOP) cells[CELLS + deal_round(shoe, pos, deals, player_draws)]++;
    }
}

#else

DEVICE void count(u32 cell, u32 *tally, u64 *cells) {
    u32 atom = cell / 5;
    if (cell == atom * 5) atomicAdd(&tally[atom], 1u);
    else atomicAdd(&cells[cell], 1ull);
}

extern "C" __global__ void __launch_bounds__(THREADS, 1)
    deal_range(u32 k0, u32 k1, u64 first, u64 shoes, const i16 *deals, const u8 *player_draws, const u16 *least,
               u64 *cells) {
    extern __shared__ u32 memory[];
    u32 *tally = memory + CARDS / 4 * THREADS;
    u16 *least_here = (u16 *)(tally + 2 * ATOMS);
    i16 *deals_here = (i16 *)(least_here + ((CARDS + 2) & ~1));
    u8 *draws_here = (u8 *)(deals_here + 1100);
    u32 t = threadIdx.x;
    for (u32 k = t; k < 2 * ATOMS; k += THREADS) tally[k] = 0;
    for (u32 k = t; k <= CARDS; k += THREADS) least_here[k] = least[k];
    for (u32 k = t; k < 1100; k += THREADS) deals_here[k] = deals[k];
    for (u32 k = t; k < 100; k += THREADS) draws_here[k] = player_draws[k];
    __syncthreads();
    u8 *shoe = (u8 *)(memory + t);
    u64 end = first + shoes;
    for (u64 block = first + (u64)blockIdx.x * THREADS; block < end; block += (u64)gridDim.x * THREADS) {
        u64 index = block + t;
        for (u32 w = 0; w < CARDS / 4; w++) memory[w * THREADS + t] = card_of(w % 13) * 0x01010101u;
        shuffle(shoe, index, k0, k1, least_here);
        u32 pos = start_of(shoe);
        bool live = index < end;
        for (u32 round = 0; round < SURE; round++) {
            if (live) count(deal_round(shoe, pos, deals_here, draws_here), tally, cells);
            TOGETHER();
        }
        for (live = live && pos < STOP; ANY(live); live = live && pos < STOP) {
            if (live) count(deal_round(shoe, pos, deals_here, draws_here), tally + ATOMS, cells + CELLS);
            TOGETHER();
        }
    }
    __syncthreads();
    for (u32 k = t; k < 2 * ATOMS; k += THREADS)
        if (tally[k]) atomicAdd(&cells[k * 5], (u64)tally[k]);
}

#endif
