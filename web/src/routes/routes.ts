import type { Route } from "./router.svelte";

/** Every page and its address. */
export const routes: Route[] = [
  { path: "/", page: () => import("../lobby/Lobby.svelte") },
  { path: "/sign-in", page: () => import("../lobby/SignIn.svelte") },
  { path: "/tables/:id", page: () => import("../table/TablePage.svelte") },
  { path: "/several", page: () => import("../several/SeveralPage.svelte") },
  { path: "/me/rounds", page: () => import("../table/History.svelte") },
  { path: "/tables/:id/dealer", page: () => import("../dealer/DealerPage.svelte"), perSession: true },
  { path: "/tables/:id/pit", page: () => import("../pit/PitPage.svelte"), perSession: true },
  { path: "/tables/:id/board", page: () => import("../board/BoardPage.svelte"), perSession: true },
  { path: "/tables/:id/shoes", page: () => import("../shoes/ShoePage.svelte") },
  { path: "/tables/:id/shoes/:number", page: () => import("../shoes/ShoePage.svelte") },
  { path: "/floor", page: () => import("../floor/FloorPage.svelte") },
  { path: "/day", page: () => import("../day/DayPage.svelte") },
  { path: "/people", page: () => import("../people/PeoplePage.svelte") },
  { path: "/people/:name", page: () => import("../people/PeoplePage.svelte") },
  { path: "/watch", page: () => import("../watch/WatchPage.svelte") },
  { path: "/me/password", page: () => import("../people/OwnPassword.svelte") },
  { path: "/odds", page: () => import("../odds/OddsPage.svelte") },
  { path: "/odds/:game/:edition", page: () => import("../odds/OddsPage.svelte") },
  { path: "/rules", page: () => import("../rules/RulesPage.svelte") },
  { path: "/rules/:game/:edition", page: () => import("../rules/RulesPage.svelte") },
];
