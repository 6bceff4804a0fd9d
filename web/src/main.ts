import { mount } from "svelte";
import App from "./App.svelte";
import "./theme.css";
import { room } from "./words/room.svelte";

/** Some signs of the page, out of sight: a browser without type for them fetches it now, and not in the middle of a round. */
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

// Words and type first, so that nobody sees the page change under his eyes; but nobody waits long for them.
room.show();
const soon = new Promise((done) => setTimeout(done, 1_500));
const ready = Promise.all([room.fetchWords(), type()]);
void Promise.race([ready, soon]).then(() => mount(App, { target: document.getElementById("page")! }));
