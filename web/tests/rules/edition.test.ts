import { describe, expect, it } from "vitest";
import type { Edition, Paragraph } from "../../src/lib/reference.svelte";
import { marksOf, type Difference } from "../../src/rules/difference";
import { anchorOf, depthOf, hungOn, isTitle, sectionsOf, spanOf, titleOf } from "../../src/rules/edition";

const paragraph = (number: string, gist: string, kind = "rule"): Paragraph => ({ number, kind, topics: [], gist });

describe("an edition for reading", () => {
  const paragraphs = [
    paragraph("1", "Title: the words used.", "notice"),
    paragraph("1.1", "Table of Play: the fixed drawing rules."),
    paragraph("5", "Title: irregularities.", "notice"),
    paragraph("5.8", "A card drawn too many."),
    paragraph("5.8.1", "Options."),
    paragraph("Appendix A", "Picture of layout A.", "notice"),
    paragraph("Appendix B", "Picture of layout B.", "notice"),
  ];

  it("falls into chapters, the appendices one of them", () => {
    expect(sectionsOf(paragraphs).map((section) => [section.number, section.title, section.paragraphs.map((each) => each.number)])).toEqual([
      ["1", "The words used", ["1.1"]],
      ["5", "Irregularities", ["5.8", "5.8.1"]],
      ["Appendix", "", ["Appendix A", "Appendix B"]],
    ]);
  });

  it("knows titles, depths and anchors", () => {
    expect(isTitle(paragraphs[0]!)).toBe(true);
    expect(isTitle(paragraphs[5]!)).toBe(false);
    expect(titleOf("Title: the cards.")).toBe("The cards");
    expect(["1.1", "5.8.1", "2.1.1.a", "Appendix A"].map(depthOf)).toEqual([1, 2, 3, 1]);
    expect(anchorOf("4.1.2")).toBe("p-4.1.2");
    expect(anchorOf("Appendix A")).toBe("p-Appendix-A");
  });

  it("writes points as spans", () => {
    expect(spanOf([0, 1, 2, 3])).toBe("0–3");
    expect(spanOf([6, 7])).toBe("6, 7");
    expect(spanOf([5])).toBe("5");
    expect(spanOf([9, 0, 1, 2, 6])).toBe("0–2, 6, 9");
  });

  it("hangs data on the paragraph that it cites", () => {
    const edition = {
      bets: {
        super_6: {
          name: "Super 6+",
          main: false,
          paragraph: "3.14",
          hands: null,
          pays: [
            { case: "two", odds: "12", paragraph: "3.14" },
            { case: "three", odds: "18", paragraph: "3.15" },
          ],
        },
      },
      insurance: [{ bet: "player_insurance", after: "four-cards", player_points: [7], banker_points: [5], odds: "4", tie_pays: false, paragraph: "5.5" }],
      table_of_play: { banker_cite: "2.3" },
      irregularities: { void: { cite: "5.5", decided_by: "pit-supervisor", remedies: ["void"], options: "never" } },
      layouts: { A: { positions: [1, 6], bets: [], paragraph: "Appendix A" } },
      errata: [{ cite: "5.5", says: "a", read_as: "b", ruling: "E4" }],
    } as unknown as Edition;
    const hung = hungOn(edition);
    expect(hung.get("3.14")!.bets[0]![1].pays.map((row) => row.case)).toEqual(["two"]);
    expect(hung.get("3.15")!.bets[0]![1].pays.map((row) => row.case)).toEqual(["three"]);
    expect(hung.get("2.3")!.play).toBe(true);
    expect(hung.get("5.5")!.insurance).toHaveLength(1);
    expect(hung.get("5.5")!.irregular[0]![0]).toBe("void");
    expect(hung.get("5.5")!.errata).toHaveLength(1);
    expect(hung.get("Appendix A")!.layouts).toEqual(["A"]);
  });
});

describe("what changed", () => {
  const change = (old: string, now: string, was: string, is: string) => ({ what: "t", old, new: now, old_paragraph: was, new_paragraph: is });

  it("marks each paragraph once, rewording before moving", () => {
    const marks = marksOf({
      paragraphs_added: ["5.7"],
      paragraphs_reworded: [change("before", "after", "5.7", "5.8"), change("x", "y", "3.9", "3.9")],
      paragraphs_renumbered: [change("5.7", "5.8", "5.7", "5.8"), change("5.8", "5.9", "5.8", "5.9")],
    } as unknown as Difference);
    expect(Object.fromEntries(marks)).toEqual({
      "5.7": { is: "added" },
      "5.8": { is: "reworded", said: "before", was: "5.7" },
      "3.9": { is: "reworded", said: "x" },
      "5.9": { is: "moved", was: "5.8" },
    });
  });
});
