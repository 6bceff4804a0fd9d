// Whether the user of this browser wants sound. It is off at first and the choice is remembered. Nothing is fetched
// before sound is turned on.

import { keep, room, stored } from "../words/room.svelte";
import type { Noise, Voice } from "./player";

const SOUND = "punto.sound";
const CHINESE = "punto.voice";

class Sound {
  on = $state(stored(SOUND) === "on");
  /** The chosen Chinese voice. Without a choice, Traditional is read in Cantonese, Simplified in Mandarin. */
  private chosen = $state<Voice | null>(stored(CHINESE) as Voice | null);
  /** The last call or sound, to be shown as text. */
  caption = $state<{ text: string } | { noise: Noise } | null>(null);
  private player: Promise<typeof import("./player")> | null = null;

  constructor() {
    if (this.on) void this.fetched().then((player) => player.wake());
  }

  get voice(): Voice {
    if (room.language === "en") return "english";
    return this.chosen ?? (room.language === "zh-Hant" ? "cantonese" : "mandarin");
  }

  choose(voice: Voice): void {
    this.chosen = voice;
    keep(CHINESE, voice);
  }

  async turn(): Promise<void> {
    this.on = !this.on;
    keep(SOUND, this.on ? "on" : "off");
    this.caption = null;
    const player = await this.fetched();
    if (this.on) player.wake();
    else player.hush();
  }

  call(text: string): void {
    if (!this.on) return;
    this.caption = { text };
    const voice = this.voice;
    void this.fetched().then((player) => player.say(text, voice));
  }

  noise(noise: Noise): void {
    if (!this.on) return;
    this.caption = { noise };
    void this.fetched().then((player) => player.play(noise));
  }

  private fetched(): Promise<typeof import("./player")> {
    this.player ??= import("./player");
    // If the script could not be fetched, the next call tries again. Until then there is only the text.
    this.player.catch(() => (this.player = null));
    return this.player;
  }
}

export const sound = new Sound();
