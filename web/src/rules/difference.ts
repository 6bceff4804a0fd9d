/** What changed between two editions, as the house reports it, and where in the newer one to show it. */

export interface Changed {
  what: string;
  old: string;
  new: string;
  old_paragraph: string;
  new_paragraph: string;
}

export interface Difference {
  old: string;
  new: string;
  bets_added: string[];
  bets_removed: string[];
  odds_changed: Changed[];
  layouts_added: string[];
  layouts_removed: string[];
  layouts_changed: Changed[];
  insurance_changed: Changed[];
  procedure_changed: Changed[];
  irregularities_changed: Changed[];
  paragraphs_added: string[];
  paragraphs_removed: string[];
  paragraphs_reworded: Changed[];
  paragraphs_renumbered: Changed[];
}

export interface Mark {
  is: "added" | "reworded" | "moved";
  /** Its number in the older edition. */
  was?: string;
  /** Its text in the older edition. */
  said?: string;
}

/** Marks by the newer edition's paragraph numbers. A reworded paragraph that also moved counts as reworded. */
export function marksOf(difference: Difference): Map<string, Mark> {
  const marks = new Map<string, Mark>();
  for (const change of difference.paragraphs_renumbered) marks.set(change.new_paragraph, { is: "moved", was: change.old_paragraph });
  for (const change of difference.paragraphs_reworded) {
    const mark: Mark = { is: "reworded", said: change.old };
    if (change.old_paragraph !== change.new_paragraph) mark.was = change.old_paragraph;
    marks.set(change.new_paragraph, mark);
  }
  for (const number of difference.paragraphs_added) if (!marks.has(number)) marks.set(number, { is: "added" });
  return marks;
}
