------------------------------- MODULE Table -------------------------------
(* One round at one table, for any mix of staff, patrons who do as they like, and things that go wrong at any moment.  *)
(* What is heard when, where it leads, who rules on what, which options there are, what cards call for, whose chips    *)
(* move and who sees what is in the module Tables, which models/writing.py generates from the game and an edition.     *)
(* Here is only what a command does to the few things that the model keeps.                                            *)
EXTENDS Integers, FiniteSets, Tables

VARIABLES
    phase,
    top,      \* the highest rank on duty, 0 for nobody: every check asks for a rank or above, so a mix is its highest
    rounds, over, closed,       \* rounds begun; whether the newest is over; whether "No more Bets" was said in it
    bets, ins,                  \* units on the layout, by patron; ann's insurance
    purse, lying, house,        \* whose chips are whose
    facing, cards, down,        \* cards that were dealt, and how many of them lie face down
    due, offer,                 \* what the open cards call for
    est, cut, dry,              \* an outcome is established; the cut card is out; the shoe is empty
    holder,                     \* ann squeezes
    kind, stood, choice, reports,  \* what went wrong, where play stood, what patrons chose
    did                         \* the last command, for counterexamples; not part of the state (VIEW)

seen == <<phase, top, rounds, over, closed, bets, ins, purse, lying, house, facing, cards, down, due, offer, est, cut,
          dry, holder, kind, stood, choice, reports>>
vars == <<seen, did>>

people == <<top>>
money  == <<bets, ins, purse, lying, house>>
felt   == <<cards, down, due, offer, est>>
wrong  == <<kind, stood, choice, reports>>
flags  == <<rounds, over, closed, facing, cut, dry, holder>>

Patrons == {"ann", "bob"}
\* Wagers are raised where nothing goes wrong, and bob plays where MostPatrons lets him: less to go through.
Most(p) == IF p = "bob" THEN MostPatrons - 1 ELSE IF MostReports = 0 THEN 2 ELSE 1
Start   == 3
NoKind  == "none"
NoChoice == [p \in Patrons |-> "-"]
Between == {"closed", "no-shoe", "commencing", "ready", "settled"}
Staked  == bets["ann"] + bets["bob"]

Heard(c) == c \in DOMAIN Leads[phase]
Step(c, p) == Heard(c) /\ p \in Leads[phase][c] /\ phase' = p
Staff == top >= 1

Init ==
    /\ phase = "closed" /\ top = 0 /\ rounds = 0 /\ over = TRUE /\ closed = FALSE
    /\ bets = [p \in Patrons |-> 0] /\ ins = 0
    /\ purse = [p \in Patrons |-> Start] /\ lying = 0 /\ house = 0
    /\ facing \in Facings /\ cards = 0 /\ down = 0 /\ due = "none" /\ offer = "none"
    /\ est = FALSE /\ cut = FALSE /\ dry = FALSE /\ holder = FALSE
    /\ kind = NoKind /\ stood = "closed" /\ choice = NoChoice /\ reports = 0
    /\ did = <<"start">>

----------------------------------------------------------------------------
(* People, shoe, betting *)

OpenTable == Step("open-table", "no-shoe") /\ rounds = 0 /\ \E r \in DutyRanks : top' = r /\ did' = <<"open-table", r>>
             /\ UNCHANGED <<money, felt, wrong, flags>>

StartDuty(r) == Step("start-duty", phase) /\ r > top /\ top' = r /\ did' = <<"start-duty", r>>
                /\ UNCHANGED <<money, felt, wrong, flags>>

\* Whoever is highest goes: those below stay, or nobody does.
EndDuty(r) == Step("end-duty", phase) /\ r < top /\ top' = r /\ did' = <<"end-duty", top, r>>
              /\ UNCHANGED <<money, felt, wrong, flags>>

LoadShoe == Staff /\ Step("load-shoe", IF Burn THEN "commencing" ELSE "ready") /\ did' = <<"load-shoe">>
            /\ UNCHANGED <<people, money, felt, wrong, flags>>
BurnCard == Staff /\ Step("burn", "ready") /\ did' = <<"burn">> /\ UNCHANGED <<people, money, felt, wrong, flags>>
EndShoe == Staff /\ rounds = 1 /\ Step("end-shoe", "no-shoe") /\ did' = <<"end-shoe">>
           /\ UNCHANGED <<people, money, felt, wrong, flags>>
CloseTable == Staff /\ rounds = 1 /\ Step("close-table", "closed") /\ did' = <<"close-table">>
              /\ UNCHANGED <<people, money, felt, wrong, flags>>

OpenBetting == Staff /\ rounds = 0 /\ Step("open-betting", "betting") /\ rounds' = 1 /\ over' = FALSE
               /\ did' = <<"open-betting">>
               /\ UNCHANGED <<people, money, felt, wrong, closed, facing, cut, dry, holder>>

Move(c, p, units) ==
    /\ purse' = [purse EXCEPT ![p] = @ + units * Chips[c].patron]
    /\ lying' = lying + units * Chips[c].layout
    /\ house' = house + units * Chips[c].house

Place(p) == /\ bets[p] = 0 /\ Most(p) > 0 /\ Step("place-wager", phase) /\ bets' = [bets EXCEPT ![p] = 1] /\ Move("place-wager", p, 1)
            /\ did' = <<"place-wager", p>> /\ UNCHANGED <<people, ins, felt, wrong, flags>>
Raise(p) == /\ bets[p] \in 1..(Most(p) - 1) /\ Step("raise-wager", phase) /\ bets' = [bets EXCEPT ![p] = @ + 1]
            /\ Move("raise-wager", p, 1)
            /\ did' = <<"raise-wager", p>> /\ UNCHANGED <<people, ins, felt, wrong, flags>>
Lower(p) == /\ bets[p] = 2 /\ Step("lower-wager", phase) /\ bets' = [bets EXCEPT ![p] = 1] /\ Move("lower-wager", p, 1)
            /\ did' = <<"lower-wager", p>> /\ UNCHANGED <<people, ins, felt, wrong, flags>>

\* After the cut card whoever takes the last wager off ends the round.
Withdraw(p) ==
    /\ bets[p] > 0 /\ bets' = [bets EXCEPT ![p] = 0] /\ Move("withdraw-wager", p, bets[p])
    /\ LET last == phase = "cut-card" /\ Staked = bets[p]
       IN Step("withdraw-wager", IF last THEN "settled" ELSE phase) /\ over' = (over \/ last)
    /\ did' = <<"withdraw-wager", p>> /\ UNCHANGED <<people, ins, felt, wrong, rounds, closed, facing, cut, dry, holder>>

CloseBetting == Staff /\ Step("close-betting", "dealing") /\ closed' = TRUE /\ did' = <<"close-betting">>
                /\ UNCHANGED <<people, money, felt, wrong, rounds, over, facing, cut, dry, holder>>

\* Chips that lay there at the close.
FoundChips(p) == /\ Staff /\ ~over /\ bets[p] < Most(p) /\ Step("report-chips", phase)
                 /\ bets' = [bets EXCEPT ![p] = @ + 1] /\ Move("report-chips", p, 1)
                 /\ did' = <<"report-chips", p>> /\ UNCHANGED <<people, ins, felt, wrong, flags>>

----------------------------------------------------------------------------
(* Cards *)

\* Where open cards lead: to an offer if somebody is on the hand that is insured, to the end, or on. Who let the first
\* offer pass may have no right to the second.
Insured(o) == IF o = "player" THEN bets["ann"] > 0 ELSE o = "banker" /\ bets["bob"] > 0
Calls(d, o, at) ==
    LET on == IF d = "none" THEN "complete" ELSE "dealing"
    IN IF Insured(o) THEN (IF at = 4 THEN {"offer"} ELSE {"offer", on}) ELSE {on}

\* The cards that lie open now call for this.
Turned(d, o, c) == due' = d /\ offer' = o /\ (\E p \in Calls(d, o, cards') : Step(c, p)) /\ est' \in {est, TRUE}

\* A third card was turned: the Player's may call for the Banker's.
ThirdTurned(c) == \/ due = "player" /\ \E one \in After[<<due, offer>>] : Turned(one[1], one[2], c)
                  \/ due = "banker" /\ Turned("none", "none", c)

CutCard == /\ Staff /\ cards = 0 /\ ~cut /\ CutWithdraws /\ phase = "dealing" /\ Step("draw-cut-card", "cut-card")
           /\ cut' = TRUE /\ did' = <<"draw-cut-card">>
           /\ UNCHANGED <<people, money, felt, wrong, rounds, over, closed, facing, dry, holder>>

CardDue == cards < 4 \/ (down = 0 /\ due # "none")

Draw ==
    /\ Staff /\ ~dry /\ CardDue /\ cards' = cards + 1
    /\ IF facing = "down"
       THEN down' = down + 1 /\ Step("draw-card", "dealing") /\ UNCHANGED <<due, offer, est>>
       ELSE /\ UNCHANGED down
            /\ IF cards' < 4 THEN Step("draw-card", "dealing") /\ UNCHANGED <<due, offer, est>>
               ELSE IF cards' = 4 THEN \E one \in DOMAIN After : Turned(one[1], one[2], "draw-card")
               ELSE ThirdTurned("draw-card")
    /\ did' = <<"draw-card">> /\ UNCHANGED <<people, money, wrong, flags>>

\* The first four are turned once all of them lie: less to go through.
Expose(by) ==
    /\ cards >= 4 /\ down > 0 /\ down' = down - 1 /\ UNCHANGED cards
    /\ IF by = "ann" THEN holder ELSE IF holder THEN top >= SqueezeOver ELSE Staff
    /\ IF down' > 0 THEN Step("expose-card", "dealing") /\ UNCHANGED <<due, offer, est>>
       ELSE IF cards = 4 THEN \E one \in DOMAIN After : Turned(one[1], one[2], "expose-card")
       ELSE ThirdTurned("expose-card")
    /\ did' = <<"expose-card", by>> /\ UNCHANGED <<people, money, wrong, flags>>

Squeeze == /\ Staff /\ ~holder /\ facing = "down" /\ cards < 4 /\ bets["ann"] > 0
           /\ Heard("ask-squeeze") /\ Step("grant-squeeze", phase) /\ holder' = TRUE /\ did' = <<"grant-squeeze", "ann">>
           /\ UNCHANGED <<people, money, felt, wrong, rounds, over, closed, facing, cut, dry>>
\* Whoever walks away has no card to turn any more.
Leave == holder /\ Step("leave", phase) /\ holder' = FALSE /\ did' = <<"leave", "ann">>
         /\ UNCHANGED <<people, money, felt, wrong, rounds, over, closed, facing, cut, dry>>

Insure == /\ bets["ann"] > 0 /\ offer = "player" /\ ins = 0 /\ purse["ann"] > 0 /\ Step("take-insurance", phase) /\ ins' = 1
          /\ Move("place-wager", "ann", 1) /\ did' = <<"take-insurance", "ann">>
          /\ UNCHANGED <<people, bets, felt, wrong, flags>>

RunDry == ~dry /\ phase = "dealing" /\ CardDue /\ dry' = TRUE /\ did' = <<"shoe-is-empty">>
          /\ UNCHANGED <<phase, people, money, felt, wrong, rounds, over, closed, facing, cut, holder>>

----------------------------------------------------------------------------
(* The end of a round *)

\* ann is on Player, bob on Banker; insurance is won where the wager is lost.
Results == {[ann |-> "won", bob |-> "lost", ins |-> "lost"], [ann |-> "lost", bob |-> "won", ins |-> "won"],
            [ann |-> "returned", bob |-> "returned", ins |-> "returned"]}

Settle ==
    /\ Staff /\ Step("settle", "settled") /\ over' = TRUE
    /\ \E r \in Results :
        /\ purse' = [ann |-> purse["ann"] + bets["ann"] * Chips[r.ann].patron + ins * Chips[r.ins].patron,
                     bob |-> purse["bob"] + bets["bob"] * Chips[r.bob].patron]
        /\ lying' = lying + bets["ann"] * Chips[r.ann].layout + bets["bob"] * Chips[r.bob].layout
                          + ins * Chips[r.ins].layout
        /\ house' = house + bets["ann"] * Chips[r.ann].house + bets["bob"] * Chips[r.bob].house
                          + ins * Chips[r.ins].house
    /\ did' = <<"settle">> /\ UNCHANGED <<people, bets, ins, felt, wrong, rounds, closed, facing, cut, dry, holder>>

\* Every wager back, of a settled round by compensating entries.
AllBack == /\ bets' = [p \in Patrons |-> 0] /\ ins' = 0
           /\ IF over THEN purse' = [p \in Patrons |-> Start] /\ house' = 0 /\ UNCHANGED lying
              ELSE /\ purse' = [ann |-> purse["ann"] + (bets["ann"] + ins) * Chips["void"].patron,
                                bob |-> purse["bob"] + bets["bob"] * Chips["void"].patron]
                   /\ lying' = lying + (Staked + ins) * Chips["void"].layout
                   /\ house' = house + (Staked + ins) * Chips["void"].house
           /\ over' = TRUE

Closed == kind' = NoKind /\ stood' = phase' /\ choice' = NoChoice /\ UNCHANGED reports

\* A settled round is played again from its four cards: its chips lie on the layout once more.
Reopen == IF over THEN /\ lying' = Staked + ins /\ house' = 0
                       /\ purse' = [ann |-> Start - bets["ann"] - ins, bob |-> Start - bets["bob"]]
          ELSE UNCHANGED <<purse, lying, house>>

Dealt == rounds = 1 /\ closed /\ (~over \/ Staked > 0)

\* Play goes on: as it lies, or with the cards laid anew, from the first four on.
GoesOn(c, from) ==
    /\ UNCHANGED <<bets, ins>>
    /\ \/ Step(c, from) /\ from \in Led["on"][from] /\ UNCHANGED <<purse, lying, house, felt, over>>
       \/ /\ Dealt /\ cards >= 4 /\ from # "betting" /\ cards' = 4 /\ down' = 0 /\ over' = FALSE /\ Reopen
          /\ \E one \in DOMAIN After : /\ due' = one[1] /\ offer' = one[2] /\ est' \in {est, TRUE}
                                       /\ \E p \in Calls(one[1], one[2], 4) \cap Led["on"][from] : Step(c, p)

Lead(l, c, from) ==
    CASE l = "stood"   -> /\ \E p \in Led[l][from] : Step(c, p)
                          /\ Closed /\ UNCHANGED <<people, money, felt, flags>>
      [] l = "on"      -> GoesOn(c, from) /\ Closed /\ UNCHANGED <<people, rounds, closed, facing, cut, dry, holder>>
      [] l = "over"    -> /\ \E p \in Led[l][from] : Step(c, p)
                          /\ AllBack /\ Closed /\ UNCHANGED <<people, felt, rounds, closed, facing, cut, dry, holder>>
      [] l = "no-shoe" -> /\ \E p \in Led[l][from] : Step(c, p)
                          /\ AllBack /\ Closed /\ UNCHANGED <<people, felt, rounds, closed, facing, cut, dry, holder>>
      [] l = "offer"   -> /\ ~over /\ from \in {"dealing", "offer"} /\ (down > 0 \/ due # "none") /\ cards >= 4
                          /\ \E p \in Led[l][from] : Step(c, p)
                          /\ Closed /\ UNCHANGED <<people, money, felt, flags>>
      [] l = "options" -> /\ Staked > 0 /\ Choices # {} /\ from # "betting" /\ Given(kind, est)
                          /\ \E p \in Led[l][from] : Step(c, p)
                          /\ choice' = [p \in Patrons |-> IF bets[p] > 0 THEN "" ELSE "-"]
                          /\ UNCHANGED <<people, money, felt, flags, kind, stood, reports>>

----------------------------------------------------------------------------
(* What goes wrong *)

Fits(k, r) == CASE r.remedy = "conclude" -> est
                [] r.remedy = "void" /\ k \in {"interruption", "reset"} -> ~est
                [] OTHER -> TRUE

Report(k) ==
    /\ Staff /\ Heard("report-irregularity") /\ phase \in Kinds[k].phases
    /\ IF Kinds[k].decided_by = "nobody"
       THEN \E r \in Kinds[k].rulings, l \in Leaders :
                /\ l \in r.leads /\ Fits(k, r) /\ Lead(l, "report-irregularity", phase)
                /\ did' = <<"report-irregularity", k, r.remedy>>
       ELSE /\ Step("report-irregularity", "irregularity") /\ kind' = k /\ stood' = phase /\ reports' = reports + 1
            /\ did' = <<"report-irregularity", k>> /\ UNCHANGED <<people, money, felt, choice, flags>>

Decide(r) ==
    /\ top >= r.rank
    /\ \E l \in r.leads : Lead(l, "decide-irregularity", stood)
    /\ did' = <<"decide-irregularity", kind, r.remedy>>

Choose(p, o) ==
    /\ choice[p] = "" /\ Step("choose-option", phase) /\ choice' = [choice EXCEPT ![p] = o]
    /\ IF o = "continue" THEN UNCHANGED money
       ELSE /\ bets' = [bets EXCEPT ![p] = 0] /\ ins' = (IF p = "ann" THEN 0 ELSE ins)
            /\ LET back == bets[p] + (IF p = "ann" THEN ins ELSE 0)
               IN IF over
                  THEN /\ purse' = [purse EXCEPT ![p] = Start] /\ house' = house + purse[p] - Start /\ UNCHANGED lying
                  ELSE Move("void", p, back)
    /\ did' = <<"choose-option", p, o>> /\ UNCHANGED <<people, felt, flags, kind, stood, reports>>

\* Silence goes on. Where everybody has taken their bets back there is no round left.
Resume ==
    /\ Staff /\ phase = "options" /\ did' = <<"resume-play">>
    /\ IF \A p \in Patrons : choice[p] \in {"-", "returned"}
       THEN Lead("over", "resume-play", stood)
       ELSE Step("resume-play", stood) /\ Closed /\ UNCHANGED <<people, money, felt, flags>>

----------------------------------------------------------------------------

Duty == \/ \E r \in DutyRanks : StartDuty(r)
        \/ \E r \in {0} \cup DutyRanks : EndDuty(r)

Next ==
    \/ OpenTable \/ Duty \/ LoadShoe \/ BurnCard \/ EndShoe \/ CloseTable
    \/ OpenBetting \/ CloseBetting \/ CutCard \/ Draw \/ Squeeze \/ Leave \/ Insure \/ RunDry \/ Settle \/ Resume
    \/ \E p \in Patrons : Place(p) \/ Raise(p) \/ Lower(p) \/ Withdraw(p) \/ FoundChips(p)
    \/ \E by \in {"staff", "ann"} : Expose(by)
    \/ reports < MostReports /\ \E k \in DOMAIN Kinds : Report(k)
    \/ phase = "irregularity" /\ \E r \in Kinds[kind].rulings : Decide(r)
    \/ \E p \in Patrons, o \in Choices : Choose(p, o)

Spec == Init /\ [][Next]_vars

----------------------------------------------------------------------------
(* The round can end: the house always has an act of its own that brings the end nearer, whoever is on duty by then.   *)

\* Whoever is needed comes on duty first.
Call(rank) == \E r \in DutyRanks : r >= rank /\ top < rank /\ StartDuty(r)

\* Rulings that fit whatever the table is like. A late offer may find nobody whom it concerns.
Rulable == {r \in Kinds[kind].rulings : r.sure /\ r.remedy # "unfounded" /\ "offer" \notin r.leads}
Unfounded == {r \in Kinds[kind].rulings : r.remedy = "unfounded"}
\* A report on which nothing fits for sure can be withdrawn.
Rule == \E r \in (IF Rulable # {} THEN Rulable ELSE Unfounded) : Decide(r) \/ Call(r.rank)

Further ==
    CASE phase = "irregularity" -> Rule
      [] phase = "options"      -> Resume \/ Call(1)
      [] phase = "betting"      -> CloseBetting \/ Call(1)
      [] phase \in {"cut-card", "dealing", "offer"} ->
            \/ Call(1)
            \/ IF CardDue THEN (IF dry THEN Report("void") ELSE Draw)
               ELSE down > 0 /\ (Expose("staff") \/ (holder /\ Call(SqueezeOver)))
      [] phase = "complete"     -> Settle \/ Call(1)
      [] OTHER                  -> FALSE

Running == ~over \/ phase \in {"irregularity", "options"}

CanEnd == (Running /\ phase \notin {"irregularity", "options"}) => ENABLED Further
Closable == phase = "irregularity" => ENABLED Rule
OptionsClose == phase = "options" => ENABLED Further

\* However the cards fall, the phase table has the way on.
Falls(n) == IF n < 4 THEN {"dealing"}
            ELSE IF n = 4 THEN UNION {Calls(one[1], one[2], 4) : one \in DOMAIN After}
            ELSE IF due = "player" THEN UNION {Calls(one[1], one[2], 5) : one \in After[<<due, offer>>]}
            ELSE {"complete"}
HasWay(c, phases) == Heard(c) /\ phases \subseteq Leads[phase][c]
CardsFall ==
    phase \in {"cut-card", "dealing", "offer"} =>
        /\ CardDue => HasWay("draw-card", IF facing = "down" THEN {"dealing"} ELSE Falls(cards + 1))
        /\ down > 0 /\ cards >= 4 => HasWay("expose-card", IF down > 1 THEN {"dealing"} ELSE Falls(cards))

\* How far the end is. Every act of `Further` lowers it.
Far ==
    (4 - top) +
    CASE phase = "irregularity" -> (IF kind = "void" /\ dry /\ ~over THEN 1000 ELSE 5000)
      [] phase = "options" -> 4000
      [] over -> 0
      [] phase = "betting" -> 3000
      [] dry /\ CardDue -> 2000
      [] OTHER -> 100 * (7 - cards) + 10 * down

Nearer == [][Running /\ Further => Far' < Far]_vars

----------------------------------------------------------------------------
(* What must hold besides *)

TypeOK == /\ phase \in DOMAIN Leads /\ top \in {0} \cup DutyRanks /\ cards \in 0..6 /\ down \in 0..cards
          /\ kind \in {NoKind} \cup DOMAIN Kinds /\ stood \in DOMAIN Leads /\ \A p \in Patrons : bets[p] \in 0..Most(p)

\* No wager is taken, raised or lowered after the close; withdrawn only after the cut card that came first.
NoLateWager ==
    [][/\ did'[1] \in {"place-wager", "raise-wager", "lower-wager"} => ~closed /\ phase = "betting"
       /\ did'[1] = "withdraw-wager" => (~closed /\ phase = "betting") \/ (phase = "cut-card" /\ cards = 0)
       /\ did'[1] = "take-insurance" => phase = "offer" /\ (due # "none" \/ down > 0)]_vars

Conserved == /\ purse["ann"] + purse["bob"] + lying + house = 2 * Start
             /\ \A p \in Patrons : purse[p] >= 0
             /\ lying = (IF over THEN 0 ELSE Staked + ins)

\* A card that lies face down is in nobody's view, but in that of whoever squeezes it, while it can be turned.
Unseen == down > 0 => \A a \in DOMAIN Sees : phase \in Sees[a] => a = "squeezer" /\ phase = "dealing"

\* The phase says whether a round is being played.
InRound == {"betting", "cut-card", "dealing", "offer", "complete"}
Phases == (phase \in InRound => ~over) /\ (phase \in Between => over)

\* Cards wait for the close, no card comes that is not due, and only a whole coup is settled.
CardsWait == [][cards' > cards => closed]_vars
SettledWhole == [][did'[1] = "settle" => cards >= 4 /\ down = 0 /\ due = "none"]_vars
OnlyDue == [][cards' > cards => cards < 4 \/ (cards < 6 /\ due # "none")]_vars

\* A restart reports an interruption. That puts every table right by itself, and once more changes nothing.
Recovery(p, o) == IF p \in Interrupted /\ ~o THEN (IF est THEN p ELSE "settled") ELSE p
Interruption == Kinds["interruption"]
Recovered ==
    /\ phase \in Interrupted /\ ~over =>
        /\ "interruption" \in DOMAIN Kinds /\ Heard("report-irregularity") /\ Heard("start-duty") /\ Heard("end-duty")
        /\ phase \in Interruption.phases /\ Interruption.decided_by = "nobody"
        /\ \E r \in Interruption.rulings, l \in Leaders :
             l \in r.leads /\ Fits("interruption", r) /\ Recovery(phase, over) \in Led[l][phase]
                           /\ Recovery(phase, over) \in Leads[phase]["report-irregularity"]
    /\ LET once == Recovery(phase, over)
           done == over \/ (phase \in Interrupted /\ ~est)
       IN Recovery(once, done) = once /\ (closed /\ ~over /\ phase \notin {"irregularity", "options"} => phase \in Interrupted)
=============================================================================
