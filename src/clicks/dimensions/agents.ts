/** Programs that follow links. The place in the list is stored with every click: append, never reorder or remove. */
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

/** Operating systems. Append only, as above. */
export const systems = [
  ...['', 'other', 'windows', 'macos', 'ios', 'android', 'linux', 'chromeos', 'harmonyos', 'kaios', 'tizen'],
  ...['webos', 'tvos', 'watchos', 'playstation', 'nintendo', 'roku', 'bsd'],
] as const;

/** Kinds of device. Append only, as above. */
export const devices = ['', 'other', 'desktop', 'mobile', 'tablet', 'tv', 'console', 'watch'] as const;

/** What a user agent says, as places in the lists above. */
export interface Agent {
  readonly browser: number;
  readonly os: number;
  readonly device: number;
}

/** Longer user agents are cut: what names the browser stands before that. */
export const longestAgent = 512;

/**
 * Reads a user agent. Families, no versions: browsers freeze those, and iPads and Windows 11 say that they are something
 * else. Never throws.
 */
export function readAgent(given: string): Agent {
  const agent = given.slice(0, longestAgent);
  return {
    browser: find(agent, browserPatterns, browsers),
    os: find(agent, systemPatterns, systems),
    device: find(agent, devicePatterns, devices),
  };
}

type Patterns<Word> = readonly (readonly [Word, RegExp])[];

function find<Word extends string>(agent: string, patterns: Patterns<Word>, words: readonly Word[]): number {
  if (agent.trim() === '') return 0;
  const found = patterns.find(([, pattern]) => pattern.test(agent));
  return found === undefined ? 1 : words.indexOf(found[0]);
}

// The first pattern that fits decides: apps before the browsers they are made of, and Chrome and Safari last, because
// nearly all the others claim to be one of them. Only alternatives of short texts, so that
// no pattern can take long.
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
  // By Google's rule, what is Android and does not say Mobile is a tablet.
  ['tablet', /Android/],
  ['desktop', /Windows|Macintosh|\bCrOS\b|X11|Linux|BSD|Win(?:32|64|NT)/],
];

/** What people call a program or a system whose word is not its name in small letters. */
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

/** The family of a browser and its system as people say it, such as `Firefox on Linux`. */
export function describeAgent(userAgent: string): string {
  const { browser, os, device } = readAgent(userAgent);
  const nameOf = (word = ''): string => names[word] ?? word.replace(/^./, (first) => first.toUpperCase());
  if (browser < firstKnown) return 'Another program';
  if (os < firstKnown) return nameOf(browsers[browser]);
  const isIos = systems[os] === 'ios';
  const system = isIos && devices[device] === 'tablet' ? 'iPad' : isIos ? 'iPhone' : nameOf(systems[os]);
  return `${nameOf(browsers[browser])} on ${system}`;
}

/** Before it come "none" and "other". */
const firstKnown = 2;
