// The roles that an account can have, from the lowest to the highest. Which of them takes a second person the house says.

export const ROLES = ["patron", "dealer", "pit-supervisor", "pit-manager", "shift-manager", "auditor", "surveillance"] as const;

/** Offered for a new account: a manager's rank is asked for afterwards. */
export const ALONE: ReadonlySet<string> = new Set(["patron", "dealer", "pit-supervisor", "auditor", "surveillance"]);
