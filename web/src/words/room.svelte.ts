// The reader's choices: language, and a light or dark room. Kept in this browser only.

export const LANGUAGES = ["en", "zh-Hant", "zh-Hans"] as const;
export type Language = (typeof LANGUAGES)[number];
export const LANGUAGE_NAMES: Record<Language, string> = { en: "English", "zh-Hant": "繁體中文", "zh-Hans": "简体中文" };

export type Light = "auto" | "dark" | "light";

/** The page's language for a browser's language tag. */
export function languageOf(wish: string): Language {
  const tag = wish.toLowerCase();
  if (!tag.startsWith("zh")) return "en";
  return /hant|tw|hk|mo/.test(tag) ? "zh-Hant" : "zh-Hans";
}

export const stored = (key: string): string | null => {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
};

export const keep = (key: string, value: string): void => {
  try {
    localStorage.setItem(key, value);
  } catch {
    // Without storage the choice is forgotten, no more.
  }
};

/** Words by the name of their list, then by key. */
type Pack = Record<string, Record<string, string>>;

/** Where the built page keeps the words of a language; the build puts the hash in. English is in the scripts. */
const PACKS: Partial<Record<Language, string>> = { "zh-Hant": "/assets/zh-Hant-HASH.json", "zh-Hans": "/assets/zh-Hans-HASH.json" };

class Room {
  language = $state<Language>(first());
  /** The texts of the language, if they came as a file. */
  pack = $state.raw<Pack>({});
  light = $state<Light>((stored("punto.light") as Light | null) ?? "auto");

  async speak(language: Language): Promise<void> {
    keep("punto.language", language);
    await this.fetchWords(language);
    this.language = language;
    this.show();
  }

  /** Fetches the texts of a language. If it can't, the page stays in English. */
  async fetchWords(language: Language = this.language): Promise<void> {
    const address = import.meta.env.PROD ? PACKS[language] : undefined;
    if (!address) return;
    try {
      const answer = await fetch(address);
      this.pack = answer.ok ? ((await answer.json()) as Pack) : {};
    } catch {
      this.pack = {};
    }
  }

  turn(light: Light): void {
    this.light = light;
    keep("punto.light", light);
    this.show();
  }

  /** Applies the choices to the document. */
  show(): void {
    const bright = this.light === "light" || (this.light === "auto" && matchMedia("(prefers-color-scheme: light)").matches);
    document.documentElement.dataset.room = bright ? "light" : "dark";
    document.documentElement.lang = this.language;
  }
}

function first(): Language {
  const kept = stored("punto.language");
  if (LANGUAGES.includes(kept as Language)) return kept as Language;
  return typeof navigator === "undefined" ? "en" : languageOf(navigator.language);
}

export const room = new Room();
