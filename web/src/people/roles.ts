// The roles that an account can have: patron, the ranks from the lowest to the highest, then those without a rank. The
// house says which of them needs a second person.

export const ROLES = ["patron", "dealer", "pit-supervisor", "pit-manager", "shift-manager", "auditor", "surveillance"] as const;

/** The roles offered for a new account. A manager's rank is asked for afterwards. */
export const ALONE: ReadonlySet<string> = new Set(["patron", "dealer", "pit-supervisor", "auditor", "surveillance"]);
