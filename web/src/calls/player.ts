// Plays sound: short noises made here with Web Audio, and the calls in one of the browser's voices. This script is
// fetched when somebody turns sound on.

export type Noise = "chips" | "card";
export type Voice = "english" | "mandarin" | "cantonese";

const TAGS: Record<Voice, RegExp> = {
  english: /^en\b/i,
  mandarin: /^(zh$|zh[-_](cn|tw|sg|hans|hant)\b(?!.*hk)|cmn\b)/i,
  cantonese: /^(zh[-_](hant[-_])?hk\b|yue\b)/i,
};

/** The browser's voice for a language, or null where it has none. */
export function voiceOf<V extends { lang: string }>(voices: readonly V[], wanted: Voice): V | null {
  return voices.find((voice) => TAGS[wanted].test(voice.lang)) ?? null;
}

/** Speaks a call aloud. Without a suitable voice nothing is heard; the page shows the text in any case. A new call
 * cancels older calls if any of them still waits. */
export function say(text: string, wanted: Voice): void {
  const synthesis = globalThis.speechSynthesis;
  const voice = synthesis ? voiceOf(synthesis.getVoices(), wanted) : null;
  if (!voice) return;
  if (synthesis.pending) synthesis.cancel();
  const utterance = new SpeechSynthesisUtterance(text);
  utterance.voice = voice;
  utterance.lang = voice.lang;
  utterance.rate = 1.05;
  synthesis.speak(utterance);
}

export function hush(): void {
  globalThis.speechSynthesis?.cancel();
}

let context: AudioContext | null = null;

/** Browsers allow sound only after a tap. If sound was turned on in an earlier visit, it starts at the first tap. */
export function wake(): void {
  context ??= new AudioContext();
  if (context.state === "running") return;
  void context.resume();
  addEventListener("pointerdown", () => void context?.resume(), { once: true });
}

export function play(noise: Noise): void {
  if (context?.state !== "running") return;
  if (noise === "card") slide(context);
  else for (const [at, pitch] of [[0, 2_650], [0.045, 3_300]] as const) click(context, context.currentTime + at, pitch);
}

/** A chip on a chip: a hard, high tick that dies at once. */
function click(audio: AudioContext, at: number, pitch: number): void {
  const tone = audio.createOscillator();
  const loud = audio.createGain();
  tone.type = "triangle";
  tone.frequency.setValueAtTime(pitch, at);
  tone.frequency.exponentialRampToValueAtTime(pitch * 0.6, at + 0.05);
  loud.gain.setValueAtTime(0.12, at);
  loud.gain.exponentialRampToValueAtTime(0.0008, at + 0.06);
  tone.connect(loud).connect(audio.destination);
  tone.start(at);
  tone.stop(at + 0.07);
}

/** A card that slides over the felt: soft noise that rises and falls. */
function slide(audio: AudioContext): void {
  const seconds = 0.14;
  const buffer = audio.createBuffer(1, Math.ceil(audio.sampleRate * seconds), audio.sampleRate);
  const data = buffer.getChannelData(0);
  for (let i = 0; i < data.length; i++) data[i] = (Math.random() * 2 - 1) * Math.sin((Math.PI * i) / data.length) ** 2;
  const source = audio.createBufferSource();
  const band = audio.createBiquadFilter();
  const loud = audio.createGain();
  source.buffer = buffer;
  band.type = "bandpass";
  band.frequency.value = 2_400;
  band.Q.value = 0.8;
  loud.gain.value = 0.22;
  source.connect(band).connect(loud).connect(audio.destination);
  source.start();
}
