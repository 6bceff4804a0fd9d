import type { Words } from "./speak";

/** What every page says. */
export const shared = {
  lobby: ["Tables", "賭枱", "赌台"],
  odds: ["Odds", "賠率與優勢", "赔率与优势"],
  rules: ["Rules", "規則", "规则"],
  history: ["My rounds", "我的牌局", "我的牌局"],
  "sign-in": ["Staff sign in", "職員登入", "职员登录"],
  "sign-out": ["Sign out", "登出", "登出"],
  language: ["Language", "語言", "语言"],
  light: ["Room light", "燈光", "灯光"],
  "light.auto": ["Auto", "自動", "自动"],
  "light.dark": ["Dark", "深色", "深色"],
  "light.light": ["Light", "淺色", "浅色"],
  close: ["Close", "關閉", "关闭"],
  back: ["Back", "返回", "返回"],
  loading: ["One moment", "請稍候", "请稍候"],
  paragraph: ["Paragraph {number}", "第 {number} 條", "第 {number} 条"],
  "in-full": ["Read the whole edition", "閱讀整個版本", "阅读整个版本"],
  "no-page": ["There is no page at this address.", "此網址沒有頁面。", "此网址没有页面。"],
  "no-table": ["There is no such table.", "沒有此賭枱。", "没有此赌台。"],
  "no-edition": ["There is no such game or edition.", "沒有此遊戲或版本。", "没有此游戏或版本。"],
  "not-fetched": ["The house does not answer, so this page can't be shown.", "無法連線，未能顯示此頁。", "无法连接，未能显示此页。"],
  nobody: ["Nobody has played here in this browser: rounds are kept by guest and by name.", "此瀏覽器尚未有人遊玩：牌局按訪客或名稱保存。", "此浏览器尚未有人游玩：牌局按访客或名称保存。"],
  again: ["Try again", "重試", "重试"],
  "no-connection": ["The house does not answer. Trying again.", "無法連線，正在重試。", "无法连接，正在重试。"],
  "went-wrong": ["That did not work: {what}", "未能完成：{what}", "未能完成：{what}"],
  "skip": ["Skip to the page", "跳至內容", "跳至内容"],
  /** Chinese tables print the stake first: 8 to 1 is 1 賠 8. */
  to: ["{won} to {staked}", "{staked} 賠 {won}", "{staked} 赔 {won}"],
} as const satisfies Words;
