import { render } from 'preact';
import { App } from './app/app.tsx';
import { keyboard, listenToKeyboard } from './browser/shortcuts.ts';
import { applyPreferences, preferences } from './data/preferences.ts';
import { number } from './texts/format.ts';
import { locale } from './texts/locale.ts';
import { chooseLanguage } from './texts/texts.ts';

await chooseLanguage(preferences.peek().language);
document.documentElement.lang = locale;
applyPreferences((act) => {
  keyboard.lettersAct = act;
});
listenToKeyboard();
const place = document.getElementById('app');
place?.replaceChildren();
if (place !== null) render(<App />, place);
// The first `Intl` formatter loads locale data. Load it while the session request is pending, not while the first
// screen renders.
setTimeout(() => number(0), 20);
