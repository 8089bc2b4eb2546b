/** Kinds of referrers. The index is stored with every click: append only. */
export const referrerKinds = [
  ...['', 'other', 'search', 'social', 'mail', 'ai', 'messaging', 'video', 'news', 'ads'],
] as const;
export type ReferrerKind = (typeof referrerKinds)[number];

/**
 * Hosts by kind, in lower case, without `www.` and `m.`; compiled from general knowledge, not copied from another list.
 * An entry also applies to subdomains that are not listed themselves. `name.*` includes all top-level domains
 * (`name.de`, `name.co.uk`).
 */
export const hostsByKind: Readonly<Partial<Record<ReferrerKind, string>>> = {
  search: `
    google.* bing.com yahoo.* duckduckgo.com yandex.* ya.ru baidu.com ecosia.org startpage.com qwant.com search.brave.com
    kagi.com naver.com daum.net seznam.cz sogou.com so.com ask.com aol.com mojeek.com swisscows.com metager.org
    petalsearch.com presearch.com you.com coccoc.com rambler.ru`,
  social: `
    facebook.com instagram.com x.com linkedin.com reddit.com pinterest.* threads.com bsky.app tumblr.com vk.com ok.ru
    weibo.com xing.com quora.com mastodon.social mastodon.online fosstodon.org mstdn.social hachyderm.io lemmy.world
    news.ycombinator.com lobste.rs linktr.ee nextdoor.com truthsocial.com flickr.com douban.com xiaohongshu.com zhihu.com
    stackoverflow.com stackexchange.com producthunt.com`,
  mail: `
    mail.google.com outlook.com mail.yahoo.* mail.proton.me mail.yandex.* mail.ru mail.aol.com mail.zoho.com icloud.com
    fastmail.com gmx.net gmx.com web.de mail.com mail.tutanota.com app.tuta.com app.hey.com mailchi.mp list-manage.com
    mail.qq.com mail.163.com mail.naver.com`,
  ai: `
    chatgpt.com openai.com claude.ai gemini.google.com copilot.microsoft.com copilot.cloud.microsoft perplexity.ai
    deepseek.com grok.com chat.mistral.ai meta.ai poe.com phind.com notebooklm.google.com kimi.com chat.qwen.ai doubao.com`,
  messaging: `
    whatsapp.com telegram.org messenger.com discord.com slack.com teams.microsoft.com teams.live.com chat.google.com
    messages.google.com signal.org line.me viber.com skype.com wechat.com weixin.qq.com snapchat.com kakao.com zoom.us
    element.io zalo.me`,
  video: `
    youtube.com vimeo.com tiktok.com twitch.tv dailymotion.com bilibili.com rumble.com odysee.com rutube.ru nicovideo.jp
    douyin.com kick.com youku.com`,
  news: `
    news.google.com flipboard.com feedly.com news.yahoo.* apple.news getpocket.com smartnews.com substack.com medium.com
    inoreader.com newsblur.com theoldreader.com techmeme.com msn.com`,
  ads: `
    doubleclick.net googleadservices.com googlesyndication.com ads.google.com taboola.com outbrain.com criteo.com
    amazon-adsystem.com adnxs.com ads.linkedin.com ads.tiktok.com ads.x.com`,
};

/** Maps a site's other hosts, such as short domains and former names, and its Android app IDs to its main host. */
export const sameHost: ReadonlyMap<string, string> = new Map(
  Object.entries({
    'x.com': 't.co twitter.com com.twitter.android',
    'facebook.com': 'fb.com fb.me com.facebook.katana com.facebook.lite',
    'instagram.com': 'instagr.am com.instagram.android com.instagram.lite',
    'threads.com': 'threads.net com.instagram.barcelona',
    'messenger.com': 'com.facebook.orca com.facebook.mlite',
    'linkedin.com': 'lnkd.in com.linkedin.android',
    'reddit.com':
      'redd.it out.reddit.com old.reddit.com new.reddit.com np.reddit.com sh.reddit.com com.reddit.frontpage',
    'pinterest.com': 'pin.it com.pinterest',
    'youtube.com': 'youtu.be com.google.android.youtube com.google.android.apps.youtube.music',
    'tiktok.com': 'vm.tiktok.com com.zhiliaoapp.musically com.ss.android.ugc.trill',
    'vk.com': 'away.vk.com vk.ru com.vkontakte.android',
    'tumblr.com': 't.umblr.com com.tumblr',
    'whatsapp.com': 'wa.me web.whatsapp.com com.whatsapp com.whatsapp.w4b',
    'telegram.org':
      't.me web.telegram.org org.telegram.messenger org.telegram.plus org.thunderdog.challegram',
    'discord.com': 'discordapp.com com.discord',
    'slack.com': 'app.slack.com com.slack',
    'teams.microsoft.com': 'statics.teams.cdn.office.net com.microsoft.teams',
    'snapchat.com': 'com.snapchat.android',
    'signal.org': 'org.thoughtcrime.securesms',
    'line.me': 'jp.naver.line.android',
    'viber.com': 'com.viber.voip',
    'kakao.com': 'com.kakao.talk',
    'google.com':
      'com.google.android.googlequicksearchbox com.google.android.apps.searchlite com.google.android.launcher',
    'duckduckgo.com': 'com.duckduckgo.mobile.android',
    'mail.google.com': 'inbox.google.com com.google.android.gm com.google.android.gm.lite',
    'outlook.com': 'outlook.live.com outlook.office.com outlook.office365.com com.microsoft.office.outlook',
    'mail.yahoo.com': 'com.yahoo.mobile.client.android.mail',
    'mail.proton.me': 'mail.protonmail.com ch.protonmail.android',
    'news.google.com': 'com.google.android.apps.magazines',
    'messages.google.com': 'messages.android.com com.google.android.apps.messaging',
    'news.ycombinator.com': 'hckrnews.com',
    'chatgpt.com': 'chat.openai.com com.openai.chatgpt',
    'gemini.google.com': 'bard.google.com com.google.android.apps.bard',
    'perplexity.ai': 'ai.perplexity.app.android',
    'claude.ai': 'com.anthropic.claude',
  }).flatMap(([host, others]) => others.split(' ').map((other) => [other, host] as const)),
);
