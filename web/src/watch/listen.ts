// The socket of the desk of the watch. It says that there is something new, not what it is.

import { ENDINGS } from "../lib/live";

const AGAIN_MS = 3_000;

/** Listens until the returned function is called. A lost socket is opened again after a pause. `ended` is called when the
 * house says that the session has ended or may not listen here. If the caller does not stop then, somebody is still
 * signed in, and listens again: the house closes the sockets of a session a moment before it forgets the session. */
export function listen(news: () => void, ended: () => void): () => void {
  let socket: WebSocket | null = null;
  let again: ReturnType<typeof setTimeout> | undefined;
  function open(): void {
    socket = new WebSocket(`${location.origin.replace(/^http/, "ws")}/api/watch/live`);
    socket.onmessage = (message) => String(message.data).includes('"watch"') && news();
    socket.onclose = ({ code }) => {
      again = setTimeout(open, AGAIN_MS);
      if (ENDINGS[code]) ended();
    };
  }
  open();
  return () => {
    clearTimeout(again);
    if (socket) socket.onclose = null;
    socket?.close();
  };
}
