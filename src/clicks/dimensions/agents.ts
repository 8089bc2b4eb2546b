/** Browsers and apps that open links. The index is stored with every click: append only, never reorder or remove. */
export const browsers = [
  ...['', 'other', 'chrome', 'safari', 'firefox', 'edge', 'opera', 'samsung', 'instagram', 'facebook'],
  ...[
    'webview',
    'google',
    'tiktok',
    'snapchat',
    'linkedin',
    'pinterest',
    'x',
    'reddit',
    'whatsapp',
    'telegram',
  ],
  ...[
    'line',
    'wechat',
    'kakaotalk',
    'slack',
    'teams',
    'duckduckgo',
    'brave',
    'vivaldi',
    'yandex',
    'uc',
    'miui',
  ],
  ...['huawei', 'vivo', 'oppo', 'qq', 'whale', 'silk', 'android', 'ie', 'ecosia', 'naver'],
] as const;

/** Operating systems. Append only, like `browsers`. */
export const systems = [
  ...['', 'other', 'windows', 'macos', 'ios', 'android', 'linux', 'chromeos', 'harmonyos', 'kaios', 'tizen'],
  ...['webos', 'tvos', 'watchos', 'playstation', 'nintendo', 'roku', 'bsd'],
] as const;

/** Device types. Append only, like `browsers`. */
export const devices = ['', 'other', 'desktop', 'mobile', 'tablet', 'tv', 'console', 'watch'] as const;

/** A parsed user agent, as indexes into `browsers`, `systems` and `devices`. */
export interface Agent {
  readonly browser: number;
  readonly os: number;
  readonly device: number;
}

/** Maximum length of a user agent. The rest is ignored. The browser's name comes earlier. */
export const maxAgentLength = 512;

/**
 * Parses a user agent. Returns families without versions, because browsers freeze versions, iPads report macOS, and
 * Windows 11 reports Windows 10. Never throws.
 */
export function readAgent(given: string): Agent {
  const agent = given.slice(0, maxAgentLength);
  return {
    browser: findIndex(agent, browserPatterns, browsers),
    os: findIndex(agent, systemPatterns, systems),
    device: findIndex(agent, devicePatterns, devices),
  };
}

type Patterns<Word> = readonly (readonly [Word, RegExp])[];

function findIndex<Word extends string>(
  agent: string,
  patterns: Patterns<Word>,
  words: readonly Word[],
): number {
  if (agent.trim() === '') return 0;
  const found = patterns.find(([, pattern]) => pattern.test(agent));
  return found === undefined ? 1 : words.indexOf(found[0]);
}

// The first matching pattern wins. Apps therefore come before the browsers they are based on. Chrome and Safari come
// last, because nearly all other browsers claim to be one of them. Each pattern is only an alternation of short
// strings, so that matching is fast for any input.
const browserPatterns: Patterns<(typeof browsers)[number]> = [
  ['instagram', /Instagram/],
  ['facebook', /FBA[NV]\/|FB_IAB|FBIOS/],
  ['tiktok', /musical_ly|BytedanceWebview|TikTok|\btrill/],
  ['snapchat', /Snapchat/],
  ['linkedin', /LinkedInApp/],
  ['pinterest', /Pinterest/],
  ['x', /Twitter for |TwitterAndroid/],
  ['reddit', /Reddit\//],
  ['whatsapp', /WhatsApp/],
  ['telegram', /Telegram/],
  ['wechat', /MicroMessenger/],
  ['kakaotalk', /KAKAOTALK/],
  ['line', /\bLine\//],
  ['naver', /NAVER\(/],
  ['slack', /\bSlack/],
  ['teams', /\bTeams\//],
  ['google', /\bGSA\//],
  ['duckduckgo', /DuckDuckGo\/|\bDdg\//],
  ['ecosia', /\bEcosia/],
  ['edge', /\bEdg(?:e|A|iOS)?\//],
  ['opera', /\bOPR\/|Opera|OPiOS|OPT\/|OPX\//],
  ['samsung', /SamsungBrowser/],
  ['yandex', /YaBrowser|YaApp_|YaSearch/],
  ['vivaldi', /Vivaldi/],
  ['brave', /\bBrave/],
  ['uc', /UC ?Browser|UCWEB/],
  ['miui', /MiuiBrowser/],
  ['huawei', /HuaweiBrowser/],
  ['vivo', /VivoBrowser/],
  ['oppo', /HeyTapBrowser|OppoBrowser/],
  ['qq', /QQBrowser|\bQQ\//],
  ['whale', /\bWhale\//],
  ['silk', /\bSilk\//],
  ['firefox', /Firefox|FxiOS|\bFocus\//],
  ['ie', /\bMSIE |Trident\//],
  ['webview', /; wv\)/],
  ['chrome', /Chrome\/|CriOS\/|Chromium/],
  ['android', /\bU; Android/],
  ['safari', /Safari\//],
  ['webview', /Mobile\/\w/],
];

const systemPatterns: Patterns<(typeof systems)[number]> = [
  ['playstation', /PlayStation/],
  ['nintendo', /Nintendo/],
  ['windows', /Windows|\bWin(?:32|64|NT)/],
  ['tvos', /Apple ?TV|tvOS/],
  ['watchos', /Apple ?Watch|watchOS/],
  ['ios', /iPhone|iPad|iPod|\biOS\b/],
  ['kaios', /KAIOS/i],
  ['tizen', /Tizen/],
  ['webos', /Web0S|webOS|hpwOS/],
  ['harmonyos', /HarmonyOS|OpenHarmony/],
  ['android', /Android/],
  ['chromeos', /\bCrOS\b/],
  ['macos', /Macintosh|Mac OS X|Darwin\/|macOS/],
  ['roku', /Roku/],
  ['bsd', /BSD/],
  ['linux', /Linux|X11|Ubuntu/],
];

const devicePatterns: Patterns<(typeof devices)[number]> = [
  ['console', /PlayStation|Nintendo|Xbox/],
  ['watch', /Watch\b|\bSM-R[89]|watchOS/],
  [
    'tv',
    /\b(?:Google|Android|Smart|SMART|Opera|Hbb|Net|Fire|Mi)?[- ]?TV\b|Apple ?TV|BRAVIA|CrKey|Web0S|Roku|\bAFT[A-Z]|Chromecast/,
  ],
  ['tablet', /iPad|Tablet|\bSilk\/|Kindle|PlayBook|\bSM-[TX]\d|Nexus (?:7|9|10)\b|\bPad\b/],
  ['mobile', /Mobile|iPhone|iPod|Phone|KAIOS|Opera Mini|BlackBerry/i],
  // According to Google's rule, an Android device without "Mobile" is a tablet.
  ['tablet', /Android/],
  ['desktop', /Windows|Macintosh|\bCrOS\b|X11|Linux|BSD|Win(?:32|64|NT)/],
];

/** Display names of browsers and operating systems, if capitalizing the key is not enough. */
const names: Readonly<Record<string, string>> = {
  samsung: 'Samsung Internet',
  duckduckgo: 'DuckDuckGo',
  uc: 'UC Browser',
  qq: 'QQ Browser',
  ie: 'Internet Explorer',
  macos: 'macOS',
  chromeos: 'ChromeOS',
  bsd: 'BSD',
};

/** Returns a display name for a user agent, such as `Firefox on Linux`. */
export function describeAgent(userAgent: string): string {
  const { browser, os, device } = readAgent(userAgent);
  const nameOf = (word = ''): string => names[word] ?? word.replace(/^./, (first) => first.toUpperCase());
  if (browser < firstKnownIndex) return 'Another program';
  if (os < firstKnownIndex) return nameOf(browsers[browser]);
  const isIos = systems[os] === 'ios';
  const system = isIos && devices[device] === 'tablet' ? 'iPad' : isIos ? 'iPhone' : nameOf(systems[os]);
  return `${nameOf(browsers[browser])} on ${system}`;
}

/** Index of the first known value. Entries 0 and 1 are "none" and "other". */
const firstKnownIndex = 2;
