import { mount } from "svelte";
import App from "./App.svelte";
import "./theme.css";
import { room } from "./words/room.svelte";

// Words first, so that nobody sees the page change its language; but nobody waits long for them.
const soon = new Promise((done) => setTimeout(done, 1_500));
void Promise.race([room.fetchWords(), soon]).then(() => mount(App, { target: document.getElementById("page")! }));
