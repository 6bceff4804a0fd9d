// The same shoes on a graphics card: one thread a shoe, integers only. `shoes.py` says what a shoe is.
//
// The build defines CARDS, NEEDED (cards that can be dealt), STOP (no round starts once so many are gone), SURE (rounds
// that every shoe has), BURN, ATOMS and, for a card, THREADS. `cells` is two tallies: sure rounds, then late ones.
// With PUNTO_HOST the file compiles as plain C++, where a "warp" is one shoe: the tests compare it with the CPU's engine.
//
// What makes it fast on a card: a shoe lies in shared memory in the thread's own bank (byte k of thread t at
// ((k / 4) * THREADS + t) * 4 + k % 4), rounds are counted in shared memory, and every loop is uniform over the warp, so
// that its lanes stay together after the rare redraw and at the uneven ends of shoes. The bits of eight cards are looked
// at together: one vote a block. Sure rounds need no look at the cut card.

#define CELLS (ATOMS * 5)

#ifdef PUNTO_HOST
#include <cstdint>
typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int16_t i16;
#define DEVICE static inline
#define CONSTANT static constexpr
#define UNROLL
#define ANY(x) (x)
#define TOGETHER()
#define BYTE(k) shoe[k]
#define WORD(k) ((u32)shoe[4 * (k)] | (u32)shoe[4 * (k) + 1] << 8 | (u32)shoe[4 * (k) + 2] << 16 | (u32)shoe[4 * (k) + 3] << 24)
#define DOT(x, y) (((x) & 255) * ((y) & 255) + ((x) >> 8 & 255) * ((y) >> 8 & 255) + ((x) >> 16) * ((y) >> 16))
#else
typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;
typedef short i16;
#define DEVICE __device__ __forceinline__
#define CONSTANT __constant__
#define UNROLL _Pragma("unroll")
#define ANY(x) __any_sync(0xffffffffu, x)
#define TOGETHER() __syncwarp()
#define BYTE(k) shoe[(((k) >> 2) * THREADS) * 4 + ((k) & 3)]
#define WORD(k) ((const u32 *)shoe)[(k) * THREADS]
#define DOT(x, y) __dp4a(x, y, 0u)  // the sum of the products of their bytes
#endif

struct Block {
    u32 word[4];
};

DEVICE Block philox(u32 block, u32 attempt, u64 index, u32 k0, u32 k1) {
    u32 c0 = block, c1 = attempt, c2 = (u32)index, c3 = (u32)(index >> 32);
    UNROLL
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

// Sixteen random bits times n are taken if their low half reaches 65536 mod n: exactly uniform. By card, in the upper half.
struct Bounds {
    u32 of[CARDS];
    constexpr Bounds() : of() {
        for (u32 i = 0; i < CARDS; i++) of[i] = 65536u % (CARDS - i) << 16;
    }
};
CONSTANT Bounds bounds;

// For card i = base + lane: how far ahead it comes from in the upper word, what the bound is compared with in the lower.
DEVICE u64 jump_of(const Block &bits, u32 base, u32 lane) {
    u32 word = bits.word[lane >> 1];
    return (u64)(lane & 1 ? word & 0xffff0000u : word << 16) * (CARDS - base - lane);
}

#define LAST(i) (NEEDED % 8 && (i) >= NEEDED)

// Cards of a block whose bits were below their bound take those of the next attempt.
DEVICE void redraw(u32 *jump, Block bits, u32 base, u64 index, u32 k0, u32 k1) {
    u32 open = 0;
    UNROLL
    for (u32 lane = 0; lane < 8; lane++) {
        if (LAST(base + lane)) break;
        open |= (u32)((u32)jump_of(bits, base, lane) < bounds.of[base + lane]) << lane;
    }
    for (u32 attempt = 1; ANY(open); attempt++) {
        bits = philox(base >> 3, attempt, index, k0, k1);
        UNROLL
        for (u32 lane = 0; lane < 8; lane++) {
            if (LAST(base + lane)) break;
            u64 product = jump_of(bits, base, lane);
            bool taken = (u32)product >= bounds.of[base + lane];
            if (open >> lane & 1) jump[lane] = (u32)(product >> 32);
            if (taken) open &= ~(1u << lane);
        }
        TOGETHER();
    }
}

// Fisher-Yates from the front, eight cards a block of random bits.
DEVICE void shuffle(u8 *shoe, u64 index, u32 k0, u32 k1) {
    for (u32 base = 0; base < NEEDED; base += 8) {
        Block bits = philox(base >> 3, 0, index, k0, k1);
        u32 jump[8];
        bool again = false;
        UNROLL
        for (u32 lane = 0; lane < 8; lane++) {
            if (LAST(base + lane)) break;
            u64 product = jump_of(bits, base, lane);
            jump[lane] = (u32)(product >> 32);
            again |= (u32)product < bounds.of[base + lane];
        }
        if (ANY(again)) redraw(jump, bits, base, index, k0, k1);
        UNROLL
        for (u32 lane = 0; lane < 8; lane++) {
            u32 i = base + lane;
            if (LAST(i)) break;
            u32 j = i + jump[lane];
            u8 kept = BYTE(i);
            BYTE(i) = BYTE(j);
            BYTE(j) = kept;
        }
    }
}

struct Round {
    u32 atom;
    u32 flag;
};

// One round from `pos`: its atom and pair flag. `deals` has for (points, points, the card behind the fourth) the first of
// the round's atoms, and in its upper bits whether the Player and the Banker draw. Looks at six cards: at least so many
// lie behind the cut card. They come as three words, shifted until the first card is the lowest byte.
DEVICE Round deal_round(const u8 *shoe, u32 &pos, const u16 *deals) {
    u32 first = WORD(pos >> 2), second = WORD((pos >> 2) + 1), third = WORD((pos >> 2) + 2), by = (pos & 3) * 8;
    u32 four = (u32)(((u64)second << 32 | first) >> by), more = (u32)(((u64)third << 32 | second) >> by);
    u32 points = four & 0x0f0f0f0fu;
    u32 sums = (points + (points >> 16)) & 0xffffu;  // the Player's in the low byte, the Banker's in the next
    sums -= (sums + 0x0606u >> 4 & 0x0101u) * 10;
    u32 fifth = more & 15, sixth = more >> 8 & 15;
    u32 found = deals[DOT(sums | fifth << 16, 100u | 10u << 8 | 1u << 16)];
    u32 player_draws = found >> 15, banker_draws = found >> 14 & 1;
    u32 atom = (found & 0x3fff) + (banker_draws ? (player_draws ? sixth : fifth) : 0);
    pos += 4 + player_draws + banker_draws;
    u32 differ = four ^ four >> 16, in_player = !(differ & 0xff), in_banker = !(differ & 0xff00);
    return Round{atom, in_player + 2 * in_banker + (in_player & in_banker & !((four ^ four >> 8) & 0xff))};
}

DEVICE u32 start_of(const u8 *shoe) {
    if (!BURN) return 0;
    u32 rank = (BYTE(0) >> 4) + 1;
    return 1 + (rank < 10 ? rank : 10);
}

#ifdef PUNTO_HOST

extern "C" void deal_range(u32 k0, u32 k1, u64 first, u64 count, const u16 *deals, int64_t *cells) {
    static thread_local u8 shoe[CARDS + 8];
    for (u64 index = first; index < first + count; index++) {
        for (u32 k = 0; k < CARDS; k++) shoe[k] = card_of((k >> 2) % 13);
        shuffle(shoe, index, k0, k1);
        u32 pos = start_of(shoe);
        for (u32 round = 0; round < SURE || pos < STOP; round++) {
            Round done = deal_round(shoe, pos, deals);
            cells[(round < SURE ? 0 : CELLS) + done.atom * 5 + done.flag]++;
        }
    }
}

#else

// Every round in shared memory, by atom; the few with a pair once more, by flag. The end takes those off the first.
DEVICE void count(Round done, u32 *tally, u64 *cells) {
    atomicAdd(&tally[done.atom], 1u);
    if (done.flag) atomicAdd(&cells[done.atom * 5 + done.flag], 1ull);
}

extern "C" __global__ void __launch_bounds__(THREADS, 1)
    deal_range(u32 k0, u32 k1, u64 first, u64 shoes, const u16 *deals, u64 *cells) {
    extern __shared__ u32 memory[];
    u32 *tally = memory + CARDS / 4 * THREADS;
    u16 *deals_here = (u16 *)(tally + 2 * ATOMS);
    u32 t = threadIdx.x;
    for (u32 k = t; k < 2 * ATOMS; k += THREADS) tally[k] = 0;
    for (u32 k = t; k < 1000; k += THREADS) deals_here[k] = deals[k];
    __syncthreads();
    u8 *shoe = (u8 *)(memory + t);
    u64 end = first + shoes;
    for (u64 block = first + (u64)blockIdx.x * THREADS; block < end; block += (u64)gridDim.x * THREADS) {
        u64 index = block + t;
        for (u32 deck = 0; deck < CARDS / 52; deck++) {
            UNROLL
            for (u32 rank = 0; rank < 13; rank++) memory[(deck * 13 + rank) * THREADS + t] = card_of(rank) * 0x01010101u;
        }
        shuffle(shoe, index, k0, k1);
        u32 pos = start_of(shoe);
        bool live = index < end;
        for (u32 round = 0; round < SURE; round++) {
            if (live) count(deal_round(shoe, pos, deals_here), tally, cells);
            TOGETHER();
        }
        for (live = live && pos < STOP; ANY(live); live = live && pos < STOP) {
            if (live) count(deal_round(shoe, pos, deals_here), tally + ATOMS, cells + CELLS);
            TOGETHER();
        }
    }
    __syncthreads();
    for (u32 k = t; k < 2 * ATOMS; k += THREADS)
        if (tally[k]) atomicAdd(&cells[k * 5], (u64)tally[k]);
}

#endif
