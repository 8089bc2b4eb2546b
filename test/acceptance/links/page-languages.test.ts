import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { makeLink } from '../../support/server/records.ts';
import { as, call } from '../../support/server/server.ts';
import { sharedServer } from '../../support/server/shared-server.ts';

const browser = {
  accept: 'text/html',
  'user-agent': 'Mozilla/5.0 (X11; Linux x64; rv:140.0) Gecko/20100101 Firefox/140.0',
};

describe('visitor pages are localized', () => {
  const titles: Readonly<Record<string, string>> = {
    en: 'Link not found',
    de: 'Link nicht gefunden',
    fr: 'Lien introuvable',
    es: 'Enlace no encontrado',
    it: 'Link non trovato',
    pt: 'Link não encontrado',
    nl: 'Link niet gevonden',
    pl: 'Nie znaleziono linku',
  };

  test('picks the best available language from Accept-Language, otherwise English', async () => {
    const server = await sharedServer();
    for (const [header, lang] of [
      ...Object.keys(titles).map((lang) => [lang, lang] as const),
      ['de-AT,de;q=0.9,en;q=0.8', 'de'],
      ['ja,fr-CA;q=0.7,en;q=0.3', 'fr'],
      ['pt-BR', 'pt'],
      ['PL', 'pl'],
      ['en;q=0.2, nl;q=0.3', 'nl'],
      ['ja', 'en'],
      ['*', 'en'],
      ['de;q=0', 'en'],
      ['', 'en'],
      [';;q=x,,', 'en'],
    ] as const) {
      const headers = { ...browser, 'accept-language': header };
      const { status, text, headers: sent } = await call(server, 'GET', '/no-such-code-1', { headers });
      assert.equal(status, 404);
      assert.ok(text.includes(`<html lang="${lang}">`), `${header}: ${text.slice(0, 60)}`);
      assert.ok(text.includes(`<h1>${titles[lang]}</h1>`), header);
      assert.equal(sent.get('vary'), 'Accept-Language');
      assert.equal(sent.get('cache-control'), 'no-store');
    }
    const { text } = await call(server, 'GET', '/no-such-code-1', { headers: browser });
    assert.ok(text.includes('<html lang="en">'), 'without the header');
  });

  test('translates every page, but not JSON or redirects', async () => {
    const server = await sharedServer();
    const api = as(server, (await server.newKey()).key);
    const code = async (fields: Record<string, unknown>): Promise<string> => {
      const { json } = await api.get(`/api/v1/links/${await makeLink(api, fields)}`);
      return json.data.shortCode;
    };
    const live = await code({});
    const german = { headers: { ...browser, 'accept-language': 'de' } };
    const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
    for (const [path, holds] of [
      ['/', 'Dies ist ein Kurzlink-Dienst'],
      [`/${await code({ disabled: true })}`, 'Dieser Link ist nicht verfügbar'],
      [`/${await code({ startsAt: inDays(1) })}`, 'Dieser Link ist noch nicht aktiv'],
      [`/${await code({ password: 'open sesame' })}`, 'Dieser Link ist passwortgeschützt'],
      [`/${await code({ maxClicks: 1 })}`, 'Sie können diesen Link nur einmal verwenden'],
      [`/${live}+`, 'Dieser Link leitet zu '],
    ] as const) {
      const { text, headers } = await call(server, 'GET', path, german);
      assert.ok(text.includes('<html lang="de">') && text.includes(`<h1>${holds}`), `${path}: ${text}`);
      assert.equal(headers.get('vary'), 'Accept-Language', path);
    }
    const redirect = await call(server, 'GET', `/${live}`, german);
    assert.equal(redirect.status, 302);
    assert.equal(redirect.headers.get('vary'), null);
    const json = await call(server, 'GET', '/no-such-code-1', {
      headers: { accept: 'application/json', 'accept-language': 'de' },
    });
    assert.equal(json.json.error.code, 'CODE_NOT_FOUND');
  });
});
