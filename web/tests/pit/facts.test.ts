import { describe, expect, it } from "vitest";
import {
  NO_RULING,
  actionsOf,
  decideOf,
  factsOf,
  mayActAs,
  missing,
  reasonNeeded,
  reportOf,
  reportable,
  rulingOf,
  unread,
  type Row,
  type Ruling,
  type Told,
} from "../../src/pit/facts";
import { transcripts } from "./transcripts";

function row(change: Partial<Row> = {}): Row {
  return {
    cite: "5.8",
    decided_by: "pit-supervisor",
    remedies: [],
    options: "never",
    options_cite: null,
    discretion: null,
    goes_by: null,
    ...change,
  };
}

interface Accepted {
  name: string;
  command: Record<string, unknown>;
}

function accepted(what: string): Accepted[] {
  return transcripts.flatMap((one) =>
    one.answered
      .filter((answer) => answer.events && answer.command.do === what)
      .map((answer) => ({ name: one.name, command: answer.command })),
  );
}

/** One place with its card says the same as a list of one, which is what the form makes. */
function inPlaces(command: Record<string, any>): Record<string, any> {
  if (command.kind !== "face-up" || !command.place) return command;
  const { place, card, ...rest } = command;
  return { ...rest, places: { [place]: card ?? null } };
}

/** What a form would hold for a report that was accepted. */
function toldOf(command: Record<string, any>): Told {
  const { do: _, kind, count, ...facts } = command;
  return kind === "damaged-card" && count === 1 ? { ...facts, lost: true } : { ...facts, count };
}

describe("reports", () => {
  const reports = accepted("report-irregularity");

  it("has many accepted reports to learn from", () => expect(reports.length).toBeGreaterThan(50));

  it.each(reports.map((one) => [`${one.command.kind} in ${one.name}`, one.command] as const))(
    "the form can make it: %s",
    (_, command) => {
      const { by: __, ...wanted } = inPlaces(command);
      const told = toldOf(wanted);
      expect(missing(command.kind as string, told)).toBeNull();
      expect(reportOf(command.kind as string, told)).toEqual(wanted);
    },
  );

  it("names the first fact that is missing", () => {
    expect(missing("void", {})).toBe("cause");
    expect(missing("excess-card", {})).toBe("cards");
    expect(missing("excess-card", { count: 1 })).toBeNull();
    expect(missing("late-table-of-play", { round: 3 })).toBe("hands");
    expect(missing("damaged-card", {})).toBe("place");
    expect(missing("damaged-card", { lost: true })).toBeNull();
    expect(missing("other-dealing-error", {}, false)).toBeNull();
    expect(missing("other-dealing-error", {}, true)).toBe("hands");
    expect(missing("interruption", {})).toBeNull();
  });

  it("sends no fact of another kind along", () => {
    const told: Told = { cause: "foreign-card", cards: ["2S"], round: 4, note: "  seen by mia " };
    expect(reportOf("void", told)).toEqual({
      do: "report-irregularity",
      kind: "void",
      cause: "foreign-card",
      note: "seen by mia",
    });
  });

  it("asks for a note with every kind", () => {
    for (const kind of ["void", "interruption", "something-new"]) expect(factsOf(kind).at(-1)!.fact).toBe("note");
  });

  it("sorts kinds by whether they are heard now", () => {
    const rows = {
      void: row({ phases: ["betting", "dealing"] }),
      "face-up": row({ phases: ["dealing"] }),
      "cut-card": row({ phases: ["betting"], goes_by: "late-wagers" }),
      displays: row(),
    };
    expect(reportable(rows, "betting")).toEqual({ now: ["void"], later: ["face-up", "cut-card"] });
  });
});

describe("rulings", () => {
  const kindOf = (name: string, command: Record<string, unknown>) => {
    const one = transcripts.find((script) => script.name === name)!;
    const at = one.answered.findIndex((answer) => answer.command === command);
    const decided = one.answered[at]!.events!.find((event) => event.event === "irregularity-decided")!;
    return decided.kind as string;
  };
  const rulings = accepted("decide-irregularity");

  it("has many accepted rulings to learn from", () => expect(rulings.length).toBeGreaterThan(40));

  it.each(rulings.map((one) => [`${one.name} ${JSON.stringify(one.command)}`, one] as const))(
    "the form can make it: %s",
    (_, { name, command }) => {
      const kind = kindOf(name, command);
      const { do: __, by: ___, ...said } = command;
      const free = typeof said.action === "string" && said.action !== "unfounded";
      const made = decideOf(kind, row({ goes_by: free ? "discretion" : null }), { ...NO_RULING, ...said } as Ruling);
      expect(made).toMatchObject(said);
    },
  );

  it("rules by an action where a kind goes by discretion", () => {
    expect(rulingOf("damaged-card", row())).toEqual(["value"]);
    expect(rulingOf("damaged-card", row({ goes_by: "discretion" }))).toEqual(["action"]);
    expect(actionsOf("damaged-card", false)).toContain("determine");
    expect(actionsOf("discretion", true)).not.toContain("options");
  });

  it("knows when a reason is needed", () => {
    const rows = { "excess-card": row({ discretion: "reasonable" }), "wrong-hand": row(), void: row() };
    expect(reasonNeeded("excess-card", rows, NO_RULING)).toBe(true);
    expect(reasonNeeded("wrong-hand", rows, NO_RULING)).toBe(false);
    expect(reasonNeeded("wrong-hand", rows, { ...NO_RULING, reconstruct: false })).toBe(true);
    expect(reasonNeeded("void", rows, NO_RULING)).toBe(false);
    expect(reasonNeeded("void", rows, { ...NO_RULING, action: "unfounded" })).toBe(true);
  });

  it("nothing typed is left out unread", () => {
    const plain = { card: "", rounds: "", pay: {} };
    expect(unread(plain)).toBe(false);
    expect(unread({ card: " 9h ", rounds: "3, 4", pay: { ann: "1,000.50", bob: "" } })).toBe(false);
    for (const one of [{ card: "9" }, { card: "XH" }, { rounds: "3 x" }, { rounds: "-1" }, { pay: { ann: "ten" } }, { pay: { ann: "-5" } }, { pay: { ann: "1.234" } }]) {
      expect(unread({ ...plain, ...one }), JSON.stringify(one)).toBe(true);
    }
  });

  it("a higher rank may act in a lower one", () => {
    expect(mayActAs("pit-manager", "dealer")).toBe(true);
    expect(mayActAs("dealer", "pit-manager")).toBe(false);
    expect(mayActAs("patron", "dealer")).toBe(false);
    expect(mayActAs("auditor", "dealer")).toBe(false);
  });

  it("sends only what the ruling says", () => {
    expect(decideOf("void", row(), { ...NO_RULING, order: ["2S"], patrons: ["ann"] })).toEqual({
      do: "decide-irregularity",
    });
    expect(decideOf("void", row(), { ...NO_RULING, action: "unfounded", reason: "nothing was wrong" })).toEqual({
      do: "decide-irregularity",
      action: "unfounded",
      reason: "nothing was wrong",
    });
  });
});
