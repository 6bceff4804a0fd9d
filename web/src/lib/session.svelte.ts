// Who sits at this page. One session a browser; the house keeps it in a cookie that scripts can't read.

import { get, post, remove, setCsrf } from "./api";
import { keep, stored } from "../words/room.svelte";
import type { Me } from "./shapes";

/** Kept in this browser for all its tabs: who is signed in. Where that is nobody, the house need not be asked again just to say so. */
const WHO = "punto.who";
/** No name has this sign. */
const NOBODY = "?";

class Session {
  /** undefined while it is not known yet, null when nobody is signed in. */
  me = $state.raw<Me | null | undefined>(undefined);
  private asked: Promise<Me | null> | null = null;

  constructor() {
    // Signed out, or in, in another tab: this one follows. Who is signed in here and still is keeps his token.
    globalThis.addEventListener?.("storage", ({ key, newValue }) => {
      if (key === WHO && (this.me ? newValue === NOBODY : newValue !== NOBODY)) this.look();
    });
  }

  /** Ask once who this is. */
  known(): Promise<Me | null> {
    this.asked ??= stored(WHO) === NOBODY ? Promise.resolve(this.take(null)) : this.refresh();
    return this.asked;
  }

  async refresh(): Promise<Me | null> {
    return this.take(await get<Me | null>("/api/sessions/current"));
  }

  /** Ask again in passing. */
  look(): void {
    this.refresh().catch(() => undefined);
  }

  async enterAsGuest(): Promise<Me> {
    return this.take(await post<Me>("/api/guests"))!;
  }

  async signIn(name: string, password: string): Promise<Me> {
    return this.take(await post<Me>("/api/sessions", { name, password }))!;
  }

  /** In place of a password that somebody else gave. Every session of the old one ends, so this one begins anew. */
  async setOwn(old: string, own: string): Promise<Me> {
    await post("/api/me/password", { old, new: own });
    return this.signIn(this.me!.name, own);
  }

  async signOut(): Promise<void> {
    await remove("/api/sessions/current");
    this.take(null);
  }

  get staff(): boolean {
    return this.me != null && this.me.role !== "patron";
  }

  private take(me: Me | null): Me | null {
    this.me = me;
    keep(WHO, me?.name ?? NOBODY);
    setCsrf(me?.csrf ?? "");
    this.asked = Promise.resolve(me);
    return me;
  }
}

export const session = new Session();
