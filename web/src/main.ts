import { mount } from "svelte";
import App from "./App.svelte";
import { place, match } from "./routes/router.svelte";
import { routes } from "./routes/routes";
import "./theme.css";
import { room } from "./words/room.svelte";

/** Draws some Chinese characters out of sight: a browser without a font for them fetches it now, and not in the middle
 * of a round. */
async function type(): Promise<void> {
  const probe = document.createElement("span");
  probe.textContent = "閒庄";
  probe.style.cssText = "position:absolute;opacity:0;font-weight:400";
  probe.setAttribute("aria-hidden", "true");
  document.body.append(probe);
  probe.getBoundingClientRect();
  await document.fonts.ready;
  probe.remove();
}

// The script of the requested page is fetched meanwhile. If that fails, App says so.
routes.find((route) => match(route.path, place.path))?.page().catch(() => undefined);

// Texts and fonts first, so that nobody sees the page change while they read; but nobody waits long for them.
room.show();
const soon = new Promise((done) => setTimeout(done, 1_500));
const ready = Promise.all([room.fetchWords(), type()]);
void Promise.race([ready, soon]).then(() => {
  const target = document.getElementById("page")!;
  target.replaceChildren();
  mount(App, { target });
});
