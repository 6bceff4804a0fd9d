/* Tiger Buffalo Non-Commission (edition 2025-11-21) for the conformance kit, protocol 1: one JSON object a line in,
 * one reply a line out. Numbers such as 4.1.14 are paragraphs of the game rules. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EDITION "tiger-buffalo-non-commission/2025-11-21"
#define DIGITS "0123456789"
#define HELLO "{\"hello\":{\"protocol\":1,\"name\":\"fresh\",\"version\":\"1\",\"editions\":[\"" EDITION "\"]," \
    "\"levels\":[\"deal\",\"outcome\",\"settle\",\"insurance\"]}}"
typedef long long Cents;
typedef struct { int num, den; } Odds; /* num 0: stake returned, num below 0: lost */

/* ---- JSON: a value is a pointer into the line, which is checked once, by skip ---- */
static const char *space(const char *p) { return p ? p + strspn(p, " \t\r\n") : ""; } /* "" after an error */
static const char *skip_string(const char *p) { /* returns what follows, NULL if it is no string */
    if (*p++ != '"') return NULL;
    for (; *p != '"'; p++)
        if ((unsigned char)*p < ' ' || (*p == '\\' && !*++p)) return NULL;
    return p + 1;
}
static const char *skip(const char *p, int depth) { /* any value */
    if (depth > 50) return NULL;
    if (*p == '"') return skip_string(p);
    if (*p == '{' || *p == '[') {
        char close = *p == '{' ? '}' : ']';
        for (p = space(p + 1); *p != close; p = space(p)) {
            if (close == '}' && *(p = space(skip_string(p))) != ':') return NULL; /* the name */
            if (close == '}') p = space(p + 1);
            p = space(skip(p, depth + 1));
            if (*p == ',' && *space(p + 1) != close) p++;
            else if (*p != close) return NULL;
        }
        return p + 1;
    }
    size_t n = strspn(p, DIGITS "+-.eEtruefalsn"); /* a number, true, false, null: not looked at more closely */
    return n ? p + n : NULL;
}
static bool is(const char *value, const char *text) { /* a string with this text? */
    size_t n = strlen(text);
    return value && *value == '"' && !strncmp(value + 1, text, n) && value[n + 1] == '"';
}
static const char *first(const char *list) { /* first element, NULL if there is none */
    return list && *list == '[' && *space(list + 1) != ']' ? space(list + 1) : NULL;
}
static const char *next(const char *element) {
    const char *p = space(skip(element, 0));
    return *p == ',' ? space(p + 1) : NULL;
}
static const char *get(const char *object, const char *key) { /* NULL if absent or null */
    if (!object || *object != '{') return NULL;
    for (const char *p = space(object + 1); *p == '"';) {
        const char *value = skip_string(p);
        value += strspn(value, " \t\r\n:");
        if (is(p, key)) return *value == 'n' ? NULL : value;
        p = space(skip(value, 0));
        if (*p == ',') p = space(p + 1);
    }
    return NULL;
}
static void put(const char *value) { fwrite(value, 1, (size_t)(skip(value, 0) - value), stdout); }
static bool amount(const char *value, Cents *cents) { /* "12.34" or "12" */
    size_t n = value && *value == '"' ? strspn(++value, DIGITS) : 0;
    if (n < 1 || n > 10) return false;
    bool part = value[n] == '.' && strspn(value + n + 1, DIGITS) == 2;
    *cents = atoll(value) * 100 + (part ? atoi(value + n + 1) : 0);
    return value[n + (part ? 3 : 0)] == '"';
}
static void put_cents(Cents c) { printf("\"%lld.%02lld\"", c / 100, c % 100); }

/* ---- Cards and the Table of Play, 3.10 to 3.16 ---- */
typedef struct { int count; const char *card[3]; } Hand; /* a card points at its rank; count may exceed 3 */
static int value(const char *card) { return *card == 'A' ? 1 : *card <= '9' ? *card - '0' : 0; }
static bool add_card(Hand *hand, const char *card) {
    if (!card || *card != '"' || !strchr("A23456789TJQK", card[1]) || !strchr("SHDC", card[2]) || card[3] != '"') return false;
    if (hand->count < 3) hand->card[hand->count] = card + 1;
    return ++hand->count;
}
static bool read_hand(const char *list, Hand *hand) {
    *hand = (Hand){0};
    for (const char *card = first(list); card; card = next(card))
        if (!add_card(hand, card)) return false;
    return hand->count > 0;
}
static bool read_hands(const char *input, Hand *player, Hand *banker) {
    return read_hand(get(input, "player"), player) && read_hand(get(input, "banker"), banker);
}
static int points(const Hand *hand, int cards) { /* of the first so many cards */
    int sum = 0;
    for (int i = 0; i < cards && i < hand->count; i++) sum += value(hand->card[i]);
    return sum % 10;
}
static bool player_draws(const Hand *player, const Hand *banker) { return points(player, 2) <= 5 && points(banker, 2) < 8; }
static bool banker_draws(const Hand *player, const Hand *banker) { /* the player's hand is final */
    static const char *draws[] = {DIGITS, DIGITS, DIGITS, "012345679", "234567", "4567", "67", ""};
    int has = points(banker, 2);
    if (has > 7 || points(player, 2) > 7) return false;
    return player->count < 3 ? has <= 5 : strchr(draws[has], '0' + value(player->card[2])) != NULL;
}

/* ---- Bets, 1.2 to 1.38 and 4.1: on which appendices, when they win, what they pay ----
 * False if there is no such bet on that layout; layout NULL: on any. */
static bool bet_result(const char *bet, const char *layout, const Hand *player, const Hand *banker, Odds *odds) {
    static const char *all = "ABCDEFGHIJKLMNOPQ", *all_but_m = "ABCDEFGHIJKLNOPQ", *pair = "ABDEGJK";
    int p = points(player, 3), b = points(banker, 3), cards = player->count + banker->count;
    int char_siu = cards == 4 ? 10 : cards == 5 ? 15 : 50;
    bool p6 = p > b && p == 6, b6 = b > p && b == 6, p7 = p > b && p == 7, b7 = b > p && b == 7; /* wins on 6, on 7 */
    bool p_two = player->count == 2, b_two = banker->count == 2;
    bool p_pair = *player->card[0] == *player->card[1], b_pair = *banker->card[0] == *banker->card[1];
    int tiger_pair = !p_pair || !b_pair ? 4 : *player->card[0] == *banker->card[0] ? 100 : 20;
    const struct { const char *name, *layouts; bool wins; int pays; } bets[] = {
        {"player", all, p > b, 1}, {"banker", all, b > p, 1}, {"tie", all, p == b, 8},
        {"player_pair", pair, p_pair, 11}, {"banker_pair", pair, b_pair, 11},
        {"big_tiger", all_but_m, b6 && !b_two, 50}, {"small_tiger", all_but_m, b6 && b_two, 22},
        {"big_buffalo", all_but_m, p6 && !p_two, 35}, {"small_buffalo", all_but_m, p6 && p_two, 20},
        {"banker_big_7", "M", b7 && !b_two, 30}, {"banker_small_7", "M", b7 && b_two, 15},
        {"player_big_7", "M", p7 && !p_two, 30}, {"player_small_7", "M", p7 && p_two, 15},
        {"tiger_buffalo", "CFHI", p6 || b6, 6}, {"tiger", "M", b6, b_two ? 12 : 20},
        {"tiger_pair", "M", p_pair || b_pair, tiger_pair}, {"tiger_tie", "LNOPQ", p == b && p == 6, 35},
        {"wu_dalang", "CFHIM", p > b && p == 1, 150}, {"player_char_siu", all_but_m, p == b + 1 && p >= 7, char_siu},
        {"banker_char_siu", all_but_m, b == p + 1 && b >= 7, char_siu}};
    for (size_t i = 0; i < sizeof bets / sizeof *bets; i++) {
        if (!is(bet, bets[i].name)) continue;
        *odds = (Odds){bets[i].wins ? bets[i].pays : -1, 1};
        if (i < 2 && p == b) odds->num = 0; /* a tie, 3.17 */
        if (i == 1 && b6) odds->den = 2;    /* Banker on 6 points, 4.1.1 */
        return !layout || (*layout == '"' && layout[2] == '"' && strchr(bets[i].layouts, layout[1]));
    }
    return false;
}

/* ---- Insurance, 3.11, 3.12, 4.1.14, 4.2, 5.3 ---- */
enum { PLAYER, BANKER }; enum { FOUR_CARDS, PLAYER_THIRD, NEVER };
typedef struct { int hand, after, player_low, player_high, banker_low, banker_high; Odds odds; bool pays_tie; } Offer;
static const Offer offers[] = {
    {PLAYER, FOUR_CARDS, 5, 5, 4, 4, {3, 2}, 0}, {PLAYER, FOUR_CARDS, 6, 6, 0, 5, {5, 2}, 0},
    {PLAYER, FOUR_CARDS, 7, 7, 0, 5, {4, 1}, 0}, {PLAYER, PLAYER_THIRD, 5, 5, 0, 4, {3, 2}, 0},
    {PLAYER, PLAYER_THIRD, 6, 6, 0, 5, {5, 2}, 0}, {PLAYER, PLAYER_THIRD, 7, 7, 0, 6, {4, 1}, 0},
    {PLAYER, PLAYER_THIRD, 8, 8, 0, 6, {10, 1}, 0}, {PLAYER, PLAYER_THIRD, 9, 9, 0, 6, {10, 1}, 1},
    {BANKER, FOUR_CARDS, 0, 3, 4, 4, {3, 2}, 0}, {BANKER, FOUR_CARDS, 0, 4, 5, 5, {3, 2}, 0},
    {BANKER, FOUR_CARDS, 0, 5, 6, 6, {5, 2}, 0}, {BANKER, FOUR_CARDS, 0, 5, 7, 7, {4, 1}, 0},
    {BANKER, PLAYER_THIRD, 0, 0, 1, 6, {10, 1}, 1}, {BANKER, PLAYER_THIRD, 1, 1, 1, 1, {6, 1}, 0},
    {BANKER, PLAYER_THIRD, 1, 1, 2, 6, {10, 1}, 0}, {BANKER, PLAYER_THIRD, 2, 2, 3, 6, {4, 1}, 0},
    {BANKER, PLAYER_THIRD, 3, 3, 4, 4, {5, 2}, 0}};
static const char *insurance[] = {"player_insurance", "banker_insurance"};

static int find_after(const char *value) {
    return is(value, "four-cards") ? FOUR_CARDS : is(value, "player-third") ? PLAYER_THIRD : NEVER;
}
static const Offer *find_offer(int after, const Hand *player, const Hand *banker) { /* NULL: none */
    int open = after == FOUR_CARDS ? 2 : 3, p = points(player, open), b = points(banker, 2);
    if (after == NEVER || player->count < open || player->count > 3 || banker->count < 2) return NULL;
    if (after == PLAYER_THIRD && (!player_draws(player, banker) || !banker_draws(player, banker))) return NULL;
    for (const Offer *o = offers; o < offers + sizeof offers / sizeof *offers; o++)
        if (o->after == after && o->player_low <= p && p <= o->player_high && o->banker_low <= b && b <= o->banker_high) return o;
    return NULL;
}

/* The largest stake that an offer takes in all: the Original Bet, at 10 to 1 also a quarter of the limit (3.12.2);
 * nothing after an offer to this patron was let pass (5.3). -1: something cannot be read. */
static Cents room(const Offer *offer, const Hand *player, const Hand *banker, const char *input, Cents *taken) {
    Cents original[2] = {0, 0}, early = 0, stake, limit;
    const char *limits = get(input, "limits"), *most = get(limits, get(limits, "maximum") ? "maximum" : "maximum_differential");
    const Offer *earlier = find_offer(FOUR_CARDS, player, banker);
    if (most && !amount(most, &limit)) return -1;
    for (const char *w = first(get(input, "wagers")); w; w = next(w)) {
        if (!amount(get(w, "stake"), &stake)) return -1;
        if (is(get(w, "bet"), "player")) original[PLAYER] += stake;
        if (is(get(w, "bet"), "banker")) original[BANKER] += stake;
    }
    *taken = 0;
    for (const char *i = first(get(input, "insurance")); i; i = next(i)) {
        int after = find_after(get(i, "after"));
        if (!amount(get(i, "stake"), &stake)) return -1;
        if (after == offer->after && is(get(i, "bet"), insurance[offer->hand])) *taken += stake;
        if (after == FOUR_CARDS && earlier && is(get(i, "bet"), insurance[earlier->hand])) early += stake;
    }
    if (offer->after == PLAYER_THIRD && earlier && original[earlier->hand] && !early) return 0;
    return offer->odds.num == 10 && most && limit / 4 < original[offer->hand] ? limit / 4 : original[offer->hand];
}

static Odds insurance_result(const Offer *offer, const Hand *player, const Hand *banker) {
    int p = points(player, 3), b = points(banker, 3);
    if (p == b && !offer->pays_tie) return (Odds){0, 1};
    return p == b || (p < b) == (offer->hand == PLAYER) ? offer->odds : (Odds){-1, 1};
}

/* ---- The questions: each prints the inside of its answer, or returns why it has none ---- */
static const char *NO_CARDS = "cards or a layout that cannot be read", *NO_AMOUNT = "an id or amount that cannot be read";
static const char *number; /* of the question, as written */
static void begin(void) { printf("{\"question\":%.*s,\"answer\":{", (int)strspn(number, DIGITS), number); }
static const char *result_name(Odds o) { return o.num > 0 ? "won" : o.num == 0 ? "returned" : "lost"; }

static const char *answer_deal(const char *input) {
    Hand hands[2] = {{0}, {0}}, *player = hands, *banker = hands + 1;
    const char *card = first(get(input, "cards"));
    for (int i = 0; i < 6; i++) {
        if ((i == 4 && !player_draws(player, banker)) || (i == 5 && !banker_draws(player, banker))) continue;
        if (!add_card(&hands[i % 2], card)) return NO_CARDS;
        card = next(card);
    }
    begin();
    for (int h = 0; h < 2; h++) {
        printf("%s:[", h ? ",\"banker\"" : "\"player\"");
        for (int i = 0; i < hands[h].count; i++) printf("%s\"%.2s\"", i ? "," : "", hands[h].card[i]);
        printf("]");
    }
    return NULL;
}

static const char *answer_outcome(const char *input) {
    Hand player, banker;
    Odds odds;
    const char *comma = "";
    if (!read_hands(input, &player, &banker) || player.count / 2 != 1 || banker.count / 2 != 1) return NO_CARDS; /* two or three */
    int p = points(&player, 3), b = points(&banker, 3);
    begin();
    printf("\"winner\":\"%s\",", p > b ? "player" : p < b ? "banker" : "tie");
    printf("\"player_points\":%d,\"banker_points\":%d,\"bets\":{", p, b);
    for (const char *bet = first(get(input, "bets")); bet; bet = next(bet))
        if (bet_result(bet, NULL, &player, &banker, &odds))
            printf("%s", comma), put(bet), printf(":\"%s\"", result_name(odds)), comma = ",";
    return printf("}"), NULL;
}

static const char *answer_settle(const char *input) {
    Hand player, banker;
    Cents stake, taken, total = 0;
    const Offer *offer[NEVER + 1] = {NULL};
    const char *layout = get(input, "layout");
    if (!layout || !read_hands(input, &player, &banker)) return NO_CARDS;
    bool refused = player.count != 2 + player_draws(&player, &banker) || banker.count != 2 + banker_draws(&player, &banker);
    for (int after = FOUR_CARDS; after < NEVER; after++) {
        if (!(offer[after] = find_offer(after, &player, &banker))) continue;
        Cents most = room(offer[after], &player, &banker, input, &taken);
        if (most < 0) return NO_AMOUNT;
        refused |= taken > most;
    }
    for (int printing = 0; printing < 2 && !refused; printing++) { /* all is checked before anything is printed */
        const char *comma = "";
        if (printing) begin(), printf("\"refused\":false,\"lines\":{");
        for (int kind = 0; kind < 2; kind++)
            for (const char *w = first(get(input, kind ? "insurance" : "wagers")); w; w = next(w), comma = ",") {
                const char *id = get(w, "id"), *bet = get(w, "bet");
                const Offer *o = kind ? offer[find_after(get(w, "after"))] : NULL;
                Odds odds = {-1, 1};
                if (!id || *id != '"' || !amount(get(w, "stake"), &stake)) return NO_AMOUNT;
                if (o && is(bet, insurance[o->hand])) odds = insurance_result(o, &player, &banker);
                else refused |= kind || !bet_result(bet, layout, &player, &banker, &odds);
                if (!printing) continue;
                Cents back = odds.num < 0 ? 0 : stake + (stake * odds.num + odds.den / 2) / odds.den; /* half a cent goes up */
                printf("%s", comma), put(id), printf(":{\"result\":\"%s\",\"handed_back\":", result_name(odds));
                put_cents(back), printf("}"), total += back;
            }
    }
    if (refused) return begin(), printf("\"refused\":true"), NULL;
    return printf("},\"handed_back\":"), put_cents(total), NULL;
}

static const char *answer_insurance(const char *input) { /* offer, or most where a bet is named */
    Hand player, banker;
    const char *bet = get(input, "bet");
    Cents most = 0, taken = 0;
    if (!read_hands(input, &player, &banker)) return NO_CARDS;
    const Offer *offer = find_offer(find_after(get(input, "after")), &player, &banker);
    if (bet && offer && is(bet, insurance[offer->hand])) most = room(offer, &player, &banker, input, &taken);
    if (most < 0) return NO_AMOUNT;
    begin();
    if (bet) printf("\"most\":"), put_cents(most > taken ? most - taken : 0);
    else if (!offer) printf("\"offer\":null");
    else printf("\"offer\":{\"bet\":\"%s\",\"odds\":\"%d/%d\"}", insurance[offer->hand], offer->odds.num, offer->odds.den);
    return NULL;
}

int main(void) {
    static const struct { const char *level, *ask, *(*answer)(const char *); } asks[] = {
        {"deal", "deal", answer_deal}, {"outcome", "outcome", answer_outcome}, {"settle", "settle", answer_settle},
        {"insurance", "settle", answer_settle}, {"insurance", "offer", answer_insurance}, {"insurance", "most", answer_insurance}};
    static char line[1 << 20]; /* a longer line is cut, and is then no JSON */
    for (int c = 0; c != EOF;) {
        size_t n = 0;
        while ((c = getchar()) != EOF && c != '\n')
            if (n < sizeof line - 1) line[n++] = (char)c;
        line[n] = 0;
        if (c == EOF && !n) break;
        const char *ask = space(line), *end = skip(ask, 0), *why = "no such question here";
        bool good = end && !*space(end) && *ask == '{';
        number = good ? get(ask, "question") : NULL;
        if (!number || !strspn(number, DIGITS)) number = "0";
        for (size_t i = 0; good && i < sizeof asks / sizeof *asks; i++)
            if (is(get(ask, "edition"), EDITION) && is(get(ask, "level"), asks[i].level) && is(get(ask, "ask"), asks[i].ask))
                why = asks[i].answer(get(ask, "input"));
        if (good && get(ask, "hello")) printf("%s\n", HELLO);
        else if (!why) printf("}}\n");
        else printf("{\"question\":%.*s,\"unsupported\":\"%s\"}\n", (int)strspn(number, DIGITS), number, why);
        fflush(stdout);
    }
}
