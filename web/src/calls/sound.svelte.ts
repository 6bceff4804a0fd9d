// Whether this browser's user wants to hear the table. Off until asked for, remembered, and nothing is fetched before.

import { keep, room, stored } from "../words/room.svelte";
import type { Noise, Voice } from "./player";

const SOUND = "punto.sound";
const CHINESE = "punto.voice";

class Sound {
  on = $state(stored(SOUND) === "on");
  /** What a reader of Chinese hears; who has not chosen hears what is spoken where the script is written. */
  private chosen = $state<Voice | null>(stored(CHINESE) as Voice | null);
  /** What was heard last, to be read. */
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
    // A script that could not be had is asked for again; until then there is the text.
    this.player.catch(() => (this.player = null));
    return this.player;
  }
}

export const sound = new Sound();
