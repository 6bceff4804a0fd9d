---------------------------- MODULE AppendsTrace ----------------------------
(* Whether a recorded history is a behaviour of Appends. Rows are the keys in the order of the stream, Events what      *)
(* senders saw: requests sent to a node, answers, and nodes that were killed. What happens inside the nodes is not      *)
(* recorded: TLC looks for steps that explain it.                                                                       *)
EXTENDS Appends, Recorded

VARIABLES at, sent
recording == <<vars, at, sent>>

RowKeys == {Rows[v] : v \in 1..Len(Rows)}
Now == Events[at + 1]

Began == Init /\ at = 0 /\ sent = {}

Observed ==
    /\ at < Len(Events) /\ at' = at + 1
    /\ CASE Now[1] = "send"   -> sent' = sent \cup {<<Now[3], Now[2]>>} /\ UNCHANGED vars
         [] Now[1] = "answer" -> Now[4] \in told[Now[2]] /\ UNCHANGED <<vars, sent>>
         [] Now[1] = "killed" -> Crash(Now[3]) /\ sent' = {one \in sent : one[1] # Now[3]}

\* Steps are looked for only where they explain what comes next: the rows up to an answer, a refusal, an answer that is
\* given again, or a row that a node wrote before it was killed. One node works at a time: that is enough to explain.
NextRow == IF Len(log) < Len(Rows) THEN {Rows[Len(log) + 1]} ELSE {}
Wanted ==
    IF at = Len(Events) THEN NextRow
    ELSE CASE Now[1] = "send"   -> {}
           [] Now[1] = "killed" -> NextRow
           [] Now[1] = "answer" -> IF Now[4] \in told[Now[2]] THEN {}
                                   ELSE IF Now[4][1] = "accepted" /\ Len(log) < Now[4][2] THEN NextRow ELSE {Now[2]}
Alone == \A n \in Nodes : work[n] = Idle

\* The rules are not in this model: whether a request was accepted is on record.
DecidedAsRecorded(n) ==
    /\ work[n].step = "decide"
    /\ work' = Goes(n, IF work[n].key \in RowKeys THEN "append" ELSE "refuse-if-newest")
    /\ UNCHANGED <<log, refused, memory, told, claim, believes, asleep, faults>>

CommittedAsRecorded(n) == Commit(n) /\ (log' # log => log'[Len(log')].key = Rows[Len(log')])

Inside ==
    /\ UNCHANGED <<at, sent>>
    /\ \E n \in Nodes :
        \/ \E k \in Keys : Alone /\ k \in Wanted /\ <<n, k>> \in sent /\ Take(n, k)
        \/ DecidedAsRecorded(n) \/ CommittedAsRecorded(n)
        \/ Accepted(n) \/ CatchUp(n) \/ Look(n) \/ Newest(n)
        \/ work[n] # Idle /\ work[n].key \notin RowKeys /\ Refuse(n)

Explained == Began /\ [][Observed \/ Inside]_recording

\* Broken when, and only when, the whole record can be explained.
Unexplained == ~(at = Len(Events) /\ Len(log) = Len(Rows))
=============================================================================
