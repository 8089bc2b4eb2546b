/** Whether the device is made by Apple, with ⌘ instead of Ctrl on its keyboard. */
export const isApple =
  typeof navigator !== 'undefined' && /mac|iphone|ipad/i.test(navigator.platform || navigator.userAgent);
