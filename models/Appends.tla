------------------------------ MODULE Appends ------------------------------
(* Several nodes serve one table from one database (src/punto/house/store, src/punto/house/table/batch_worker.py).     *)
(* A sender may give a request under one key to any node, again and again, until it has an answer. A node decides on   *)
(* the table as it holds it in memory, appends stating the version that it expects, and answers after the commit.      *)
(* Messages between nodes may be lost or repeated, a node may crash at any step or stand still and come back.          *)
EXTENDS Integers, Sequences, FiniteSets, TLC

CONSTANTS Nodes, Keys,  \* keys of patrons' requests; the dealer's are made from the version that they are meant for
          MostRows,     \* how long the stream grows
          MostFaults,   \* crashes, sleeps and answers that are lost, together
          Defect        \* "none", or a part of the protocol that is left out, to see that it is needed

VARIABLES
    log,       \* rows of the stream: key, node, and the version that was decided on
    refused,   \* key -> its remembered refusal: the version that it was decided on, and where the stream stood as it came
    memory,    \* node -> version of the table that it holds
    work,      \* node -> the request that it carries out, and how far it is
    told,      \* key -> what senders were answered
    claim,     \* the node that the database has as the dealer
    believes,  \* nodes that take themselves for the dealer
    asleep, faults

vars == <<log, refused, memory, work, told, claim, believes, asleep, faults>>

Idle == [step |-> "idle"]
None == "none"
Dealt(v) == <<"dealer", v>>
DealKeys == {Dealt(v) : v \in 0..MostRows}
BadDealKeys == IF Defect = "deal-keys" THEN {<<"dealer", n, v>> : n \in Nodes, v \in 0..MostRows} ELSE {}
Logged(k) == \E v \in 1..Len(log) : log[v].key = k
At(k) == CHOOSE v \in 1..Len(log) : log[v].key = k

\* Whether the rules take a request, by the table at a version. The dealer opens and closes betting in turn, and patrons'
\* requests are taken while it is open; the dealer's are taken at the version that they are meant for.
Accepts(k, v) ==
    IF k \in DealKeys THEN k = Dealt(v)
    ELSE IF k \in BadDealKeys THEN TRUE
    ELSE Cardinality({at \in 1..v : log[at].key \notin Keys}) % 2 = 0

Init ==
    /\ log = <<>> /\ refused = [k \in {} |-> 0] /\ memory = [n \in Nodes |-> 0] /\ work = [n \in Nodes |-> Idle]
    /\ told = [k \in Keys \cup DealKeys \cup BadDealKeys |-> {}] /\ claim = None /\ believes = {} /\ asleep = {} /\ faults = 0

Awake(n) == n \notin asleep

\* A request arrives, for the first time or again.
Take(n, k) == /\ Awake(n) /\ work[n] = Idle
              /\ work' = [work EXCEPT ![n] = [step |-> "decide", key |-> k, from |-> Len(log)]]
              /\ UNCHANGED <<log, refused, memory, told, claim, believes, asleep, faults>>

\* The dealer's act is planned for the table as this node holds it, and named by its version.
Deal(n) == /\ n \in believes /\ memory[n] < MostRows
           /\ Awake(n) /\ work[n] = Idle
           /\ LET k == IF Defect = "deal-keys" THEN <<"dealer", n, memory[n]>> ELSE Dealt(memory[n])
              IN work' = [work EXCEPT ![n] = [step |-> "decide", key |-> k, from |-> Len(log)]]
           /\ UNCHANGED <<log, refused, memory, told, claim, believes, asleep, faults>>

Goes(n, step) == [work EXCEPT ![n] = [step |-> step, key |-> work[n].key, from |-> work[n].from, at |-> memory[n]]]

Decide(n) == /\ Awake(n) /\ work[n].step = "decide"
             /\ work' = Goes(n, IF Accepts(work[n].key, memory[n]) THEN "append" ELSE "refuse-if-newest")
             /\ UNCHANGED <<log, refused, memory, told, claim, believes, asleep, faults>>

\* One statement of the database: all of it or nothing. The node learns how it went, in the next step.
Commit(n) ==
    /\ Awake(n) /\ work[n].step = "append"
    /\ LET k == work[n].key
           fits == /\ Len(log) = work[n].at \/ Defect = "versions"
                   /\ ~Logged(k) \/ Defect = "keys"
                   /\ k \notin DOMAIN refused \/ Defect = "refusals"
       IN IF fits
          THEN /\ Len(log) < MostRows
               /\ log' = Append(log, [key |-> k, node |-> n, at |-> work[n].at]) /\ work' = Goes(n, "accepted")
          ELSE /\ work' = Goes(n, "catch-up") /\ UNCHANGED log
    /\ UNCHANGED <<refused, memory, told, claim, believes, asleep, faults>>

\* What it wrote itself is in memory before anybody is answered.
Accepted(n) == /\ Awake(n) /\ work[n].step = "accepted"
               /\ memory' = [memory EXCEPT ![n] = work[n].at + 1]
               /\ told' = [told EXCEPT ![work[n].key] = @ \cup {<<"accepted", work[n].at + 1>>}]
               /\ work' = [work EXCEPT ![n] = Idle]
               /\ UNCHANGED <<log, refused, claim, believes, asleep, faults>>

\* Others were quicker: read on, then look whether the key was answered.
CatchUp(n) == /\ Awake(n) /\ work[n].step = "catch-up"
              /\ memory' = [memory EXCEPT ![n] = Len(log)] /\ work' = Goes(n, "look")
              /\ UNCHANGED <<log, refused, told, claim, believes, asleep, faults>>

Remembered(k) == IF Logged(k) THEN {<<"accepted", At(k)>>} ELSE IF k \in DOMAIN refused THEN {<<"refused">>} ELSE {}

Look(n) ==
    /\ Awake(n) /\ work[n].step \in {"look", "look-before-refusal"}
    /\ LET k == work[n].key  known == IF Defect = "answers" THEN {} ELSE Remembered(k)
       IN IF known # {}
          THEN told' = [told EXCEPT ![k] = @ \cup known] /\ work' = [work EXCEPT ![n] = Idle]
          ELSE /\ UNCHANGED told
               /\ work' = Goes(n, IF work[n].step = "look" THEN (IF Defect = "answers" THEN "refuse" ELSE "decide") ELSE "refuse")
    /\ UNCHANGED <<log, refused, memory, claim, believes, asleep, faults>>

\* Where all are refused there is no append to show that others moved on: the head is asked for.
Newest(n) == /\ Awake(n) /\ work[n].step = "refuse-if-newest"
             /\ work' = Goes(n, IF Len(log) > memory[n] /\ Defect # "stale-refusal" THEN "catch-up" ELSE "look-before-refusal")
             /\ UNCHANGED <<log, refused, memory, told, claim, believes, asleep, faults>>

\* One statement: the first refusal stays, and a key that stands on a row is not refused.
Refuse(n) ==
    /\ Awake(n) /\ work[n].step = "refuse"
    /\ LET k == work[n].key
       IN IF Logged(k) /\ Defect # "key-taken"
          THEN work' = Goes(n, "look-before-refusal") /\ UNCHANGED <<refused, told>>
          ELSE /\ refused' = refused @@ (k :> [at |-> work[n].at, from |-> work[n].from]) /\ told' = [told EXCEPT ![k] = @ \cup {<<"refused">>}]
               /\ work' = [work EXCEPT ![n] = Idle]
    /\ UNCHANGED <<log, memory, claim, believes, asleep, faults>>

\* A notification that the table has moved: early, late, repeated or never.
Notice(n) == /\ Awake(n) /\ work[n] = Idle /\ memory[n] < Len(log) /\ memory' = [memory EXCEPT ![n] = Len(log)]
             /\ UNCHANGED <<log, refused, work, told, claim, believes, asleep, faults>>

----------------------------------------------------------------------------
(* Who deals. A node that has not renewed its row for a while is unsure and deals no more; one that sleeps does not     *)
(* know that yet as it wakes.                                                                                            *)

Claim(n) == /\ Awake(n) /\ (claim = None \/ claim \in asleep) /\ claim' = n
            /\ believes' = believes \cup {n}
            /\ UNCHANGED <<log, refused, memory, work, told, asleep, faults>>

\* It sees that another one has its tables.
Doubt(n) == /\ Awake(n) /\ n \in believes /\ claim # n /\ believes' = believes \ {n}
            /\ UNCHANGED <<log, refused, memory, work, told, claim, asleep, faults>>

----------------------------------------------------------------------------
(* Faults *)

Sleep(n) == /\ Awake(n) /\ faults < MostFaults /\ asleep' = asleep \cup {n} /\ faults' = faults + 1
            /\ UNCHANGED <<log, refused, memory, work, told, claim, believes>>
Wake(n) == /\ ~Awake(n) /\ asleep' = asleep \ {n}
           /\ UNCHANGED <<log, refused, memory, work, told, claim, believes, faults>>

\* The process is gone with all that it held, and starts again from what is stored.
Crash(n) == /\ faults < MostFaults /\ faults' = faults + 1
            /\ work' = [work EXCEPT ![n] = Idle] /\ memory' = [memory EXCEPT ![n] = Len(log)]
            /\ believes' = believes \ {n} /\ claim' = (IF claim = n THEN None ELSE claim) /\ asleep' = asleep \ {n}
            /\ UNCHANGED <<log, refused, told>>

\* The answer does not reach the sender, who will ask again.
LoseAnswer(n) == /\ work[n].step = "accepted" /\ faults < MostFaults /\ faults' = faults + 1
                 /\ memory' = [memory EXCEPT ![n] = work[n].at + 1] /\ work' = [work EXCEPT ![n] = Idle]
                 /\ UNCHANGED <<log, refused, told, claim, believes, asleep>>

Next == \E n \in Nodes :
    \/ \E k \in Keys : Take(n, k)
    \/ Deal(n) \/ Decide(n) \/ Commit(n) \/ Accepted(n) \/ CatchUp(n) \/ Look(n) \/ Newest(n) \/ Refuse(n) \/ Notice(n)
    \/ Claim(n) \/ Doubt(n) \/ Sleep(n) \/ Wake(n) \/ Crash(n) \/ LoseAnswer(n)

Spec == Init /\ [][Next]_vars

----------------------------------------------------------------------------

OneEffect == \A a, b \in 1..Len(log) : log[a].key = log[b].key => a = b
OneAnswer == \A k \in DOMAIN told : Cardinality(told[k]) <= 1
NothingLost == \A k \in DOMAIN told : \A one \in told[k] :
    IF one[1] = "accepted" THEN one[2] <= Len(log) /\ log[one[2]].key = k ELSE ~Logged(k)
\* Every row was decided on the table as it stood just before it.
DecidedOnNewest == \A v \in 1..Len(log) : log[v].at = v - 1
\* A refusal is of the table as it stood after the request had come, and right then.
Rightly == \A k \in DOMAIN refused : refused[k].at >= refused[k].from /\ ~Accepts(k, refused[k].at)
\* However many take themselves for the dealer, what is meant for a version is dealt once.
MeantFor(k) == k[Len(k)]
DealtOnce == \A a, b \in 1..Len(log) :
    (log[a].key \notin Keys /\ log[b].key \notin Keys /\ MeantFor(log[a].key) = MeantFor(log[b].key)) => a = b
\* Versions never go back, and what is stored stays.
Kept == [][Len(log') >= Len(log) /\ SubSeq(log', 1, Len(log)) = log /\ \A k \in DOMAIN refused : refused'[k] = refused[k]]_vars

\* Nodes are alike, and so are patrons' keys.
Alike == Permutations(Nodes) \cup Permutations(Keys)
=============================================================================
