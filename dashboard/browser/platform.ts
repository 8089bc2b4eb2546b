/** Whether the reader's keyboard has ⌘ where others have Ctrl. */
export const isApple =
  typeof navigator !== 'undefined' && /mac|iphone|ipad/i.test(navigator.platform || navigator.userAgent);
