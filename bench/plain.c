/* The yardstick: a plain, well-written C program. xoshiro256**, Fisher-Yates, a deal by ifs, the three main bets. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static uint64_t state[4];

static inline uint64_t rotl(uint64_t x, int k) { return (x << k) | (x >> (64 - k)); }

static inline uint64_t next(void) {
    const uint64_t result = rotl(state[1] * 5, 7) * 9, t = state[1] << 17;
    state[2] ^= state[0];
    state[3] ^= state[1];
    state[1] ^= state[2];
    state[0] ^= state[3];
    state[2] ^= t;
    state[3] = rotl(state[3], 45);
    return result;
}

static inline uint32_t below(uint32_t n) { return (uint32_t)(((next() >> 32) * n) >> 32); }

static int banker_draws(int banker, int third) {
    if (banker <= 2) return 1;
    if (banker == 3) return third != 8;
    if (banker == 4) return third >= 2 && third <= 7;
    if (banker == 5) return third >= 4 && third <= 7;
    if (banker == 6) return third == 6 || third == 7;
    return 0;
}

int main(int argc, char **argv) {
    const long shoes = argc > 1 ? atol(argv[1]) : 100000;
    const int decks = 8, cards = 52 * decks, cut_at = cards - 16;
    uint8_t fresh[416], shoe[416];
    uint64_t seed = 1, rounds = 0, player_wins = 0, banker_wins = 0, ties = 0;
    for (int i = 0; i < 4; i++) {
        uint64_t z = (seed += 0x9e3779b97f4a7c15ull);
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
        state[i] = z ^ (z >> 31);
    }
    for (int i = 0; i < cards; i++) {
        int rank = i % 13 + 1;
        fresh[i] = (uint8_t)(rank > 9 ? 0 : rank);
    }
    struct timespec start, end;
    clock_gettime(CLOCK_MONOTONIC, &start);
    for (long s = 0; s < shoes; s++) {
        memcpy(shoe, fresh, sizeof fresh);
        for (int i = cards - 1; i > 0; i--) {
            uint32_t j = below((uint32_t)i + 1);
            uint8_t kept = shoe[i];
            shoe[i] = shoe[j];
            shoe[j] = kept;
        }
        int at = 0;
        while (at <= cut_at) {
            int player = (shoe[at] + shoe[at + 2]) % 10, banker = (shoe[at + 1] + shoe[at + 3]) % 10;
            at += 4;
            if (player < 8 && banker < 8) {
                if (player <= 5) {
                    int third = shoe[at++];
                    player = (player + third) % 10;
                    if (banker_draws(banker, third)) banker = (banker + shoe[at++]) % 10;
                } else if (banker <= 5) {
                    banker = (banker + shoe[at++]) % 10;
                }
            }
            if (player > banker) player_wins++;
            else if (banker > player) banker_wins++;
            else ties++;
            rounds++;
        }
    }
    clock_gettime(CLOCK_MONOTONIC, &end);
    double seconds = (double)(end.tv_sec - start.tv_sec) + 1e-9 * (double)(end.tv_nsec - start.tv_nsec);
    printf("%llu %llu %llu %llu %.9f\n", (unsigned long long)rounds, (unsigned long long)player_wins,
           (unsigned long long)banker_wins, (unsigned long long)ties, seconds);
    return 0;
}
