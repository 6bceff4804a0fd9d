// The tiles of the visible tables: the list is fetched at first and then every minute, and a light socket brings
// changes in between. While the socket is lost, the list is fetched every few seconds.

import { get, type Problem } from "../lib/api";
import { wait } from "../lib/live";
import type { TableShown } from "../lib/shapes";
import { MOST_TILES, renewed } from "./filter";

interface Frame {
  frame: "tiles" | "ping";
  now?: string;
  tiles?: (Partial<TableShown> & { id: string })[];
}

const LIST_MS = 60_000;
const WITHOUT_SOCKET_MS = 3_000;
/** The house pings more often than that. */
const SILENCE_MS = 45_000;

export class Tiles {
  tables = $state.raw<TableShown[] | null>(null);
  failed = $state(false);
  /** The house's clock minus this machine's, in milliseconds. */
  skew = $state(0);
  private socket: WebSocket | null = null;
  private watched = "[]";
  private attempt = 0;
  private closed = false;
  private listed = 0;
  private heard = 0;
  private retry: ReturnType<typeof setTimeout> | undefined;
  private readonly every: ReturnType<typeof setInterval>;

  /** `list` false: no list is fetched while the socket is open; only watched tables are known, from their tiles. */
  constructor(private readonly list: boolean) {
    if (list) void this.look();
    this.connect();
    this.every = setInterval(() => this.tick(), 1_000);
  }

  of(id: string): TableShown | undefined {
    return this.tables?.find((table) => table.id === id);
  }

  watch(ids: string[]): void {
    const watched = JSON.stringify(ids.slice(0, MOST_TILES));
    if (watched === this.watched) return;
    this.watched = watched;
    this.say();
  }

  close(): void {
    this.closed = true;
    clearInterval(this.every);
    clearTimeout(this.retry);
    this.socket?.close(1000);
  }

  private tick(): void {
    const open = this.socket?.readyState === 1;
    const due = open ? LIST_MS : WITHOUT_SOCKET_MS;
    if (document.visibilityState === "visible" && (this.list || !open) && Date.now() - this.listed >= due) void this.look();
    if (open && Date.now() - this.heard > SILENCE_MS) this.socket?.close();
  }

  private async look(): Promise<void> {
    this.listed = Date.now();
    try {
      const tables = await get<TableShown[]>("/api/tables");
      this.tables = tables;
      this.failed = false;
    } catch (error) {
      this.failed = (error as Problem).code !== undefined;
    }
  }

  private connect(): void {
    const socket = new WebSocket(`${location.origin.replace(/^http/, "ws")}/api/tiles`);
    this.socket = socket;
    socket.onopen = () => {
      this.attempt = 0;
      this.heard = Date.now();
      this.say();
    };
    socket.onmessage = (message: MessageEvent<string>) => this.take(JSON.parse(message.data) as Frame);
    socket.onclose = () => {
      if (this.closed) return;
      this.retry = setTimeout(() => this.connect(), wait(this.attempt++));
    };
  }

  private take(frame: Frame): void {
    this.heard = Date.now();
    if (frame.now) this.skew = Date.parse(frame.now) - this.heard;
    if (frame.tiles) this.tables = renewed(this.tables ?? [], frame.tiles);
  }

  private say(): void {
    if (this.socket?.readyState === 1) this.socket.send(`{"watch":${this.watched}}`);
  }
}
