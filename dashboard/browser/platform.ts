/** Whether this is an Apple device, where shortcuts use ⌘ instead of Ctrl. */
export const isApple =
  typeof navigator !== 'undefined' && /mac|iphone|ipad/i.test(navigator.platform || navigator.userAgent);
