// Who uses this page. A browser has one session, in a cookie that scripts can't read.

import { get, onOldToken, post, remove, setCsrf } from "./api";
import { wait } from "./live";
import { keep, stored } from "../words/room.svelte";
import type { Me } from "./shapes";

/** Who is signed in, kept in this browser for all its tabs. If it is nobody, the house is not asked again. */
const WHO = "punto.who";
/** No account name contains this character. */
const NOBODY = "?";

/** A house that did not say who is signed in is asked again as a socket is opened again after so many failures: at
 * first after two seconds, in the end every eight. */
const FAILURES_BEFORE = 3;

export class Session {
  /** undefined while it is not known yet, null when nobody is signed in. */
  me = $state.raw<Me | null | undefined>(undefined);
  /** How often the session has become another one since it was first known, also one of the same person. What has a
   * socket is made anew for each: the house closes the sockets of a session that has ended. */
  changes = $state(0);
  private who: Promise<Me | null> | null = null;
  private failures = 0;
  private again: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    // Somebody has signed out or in in another tab: this tab follows.
    globalThis.addEventListener?.("storage", ({ key, newValue }) => {
      if (key === WHO && newValue !== (this.me?.name ?? NOBODY)) this.look();
    });
    onOldToken(() => this.refresh().then(() => true, () => false));
  }

  /** Asks the house once who is signed in. If it does not answer, this fails, and the house is asked again later. */
  known(): Promise<Me | null> {
    this.who ??= stored(WHO) === NOBODY ? Promise.resolve(this.take(null)) : this.refresh().catch((error) => this.unanswered(error));
    return this.who;
  }

  async refresh(): Promise<Me | null> {
    return this.take(await get<Me | null>("/api/sessions/current"));
  }

  /** Asks again in the background, until the house answers. */
  look(): void {
    this.refresh().catch((error) => this.unanswered(error)).catch(() => undefined);
  }

  /** Enters as a guest. Whoever is signed in stays who they are: a guest's session would take the place of theirs. */
  async enterAsGuest(): Promise<Me> {
    return (await this.known()) ?? this.take(await post<Me>("/api/guests"))!;
  }

  async signIn(name: string, password: string): Promise<Me> {
    return this.take(await post<Me>("/api/sessions", { name, password }))!;
  }

  /** Replaces a password that somebody else gave. All sessions under the old password end, so this signs in again. */
  async setOwn(old: string, own: string): Promise<Me> {
    const { name } = this.me!;
    await post("/api/me/password", { old, new: own });
    return this.signIn(name, own);
  }

  async signOut(): Promise<void> {
    await remove("/api/sessions/current");
    this.take(null);
  }

  get staff(): boolean {
    return this.me != null && this.me.role !== "patron";
  }

  private unanswered(error: unknown): never {
    if (this.me === undefined) this.who = null;
    clearTimeout(this.again);
    this.again = setTimeout(() => this.look(), wait(FAILURES_BEFORE + this.failures++));
    throw error;
  }

  private take(me: Me | null): Me | null {
    clearTimeout(this.again);
    this.failures = 0;
    if (this.me !== undefined && this.me?.csrf !== me?.csrf) this.changes++;
    this.me = me;
    keep(WHO, me?.name ?? NOBODY);
    setCsrf(me?.csrf ?? "", me?.name);
    this.who = Promise.resolve(me);
    return me;
  }
}

export const session = new Session();
