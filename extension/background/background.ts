import { t } from '../browser/texts.ts';
import { readGolinks } from '../data/golinks.ts';
import { golinkUrl } from '../data/origins.ts';

// Opens golinks that the user types into the address bar after the keyword `go`.

chrome.omnibox?.setDefaultSuggestion({ description: t('openGolink') });
chrome.omnibox?.onInputEntered.addListener(async (text, where) => {
  const base = await readGolinks();
  if (base === undefined) return void chrome.runtime.openOptionsPage();
  const url = golinkUrl(base, text);
  if (where === 'currentTab') void chrome.tabs.update({ url });
  else void chrome.tabs.create({ url, active: where === 'newForegroundTab' });
});
