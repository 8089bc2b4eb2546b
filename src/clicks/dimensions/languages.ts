// ISO 639-1 codes, and three-letter tags that browsers send.
const tags = `
aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee el en eo es et
eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io is it iu ja jv ka kg ki kj kk
kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne ng nl nn no nr nv ny
oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg si sk sl sm sn so sq sr ss st su sv sw ta te tg th ti tk
tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu
ast chr ckb dsb fil gsw haw hsb kab kok mai mni sat smn yue`;

/** Primary BCP 47 language tags. The index is stored with every click: append only, never reorder or remove. */
export const languages: readonly string[] = ['', 'other', ...tags.trim().split(/\s+/)];

const numbers: ReadonlyMap<string, number> = new Map(languages.map((tag, number) => [tag, number]));

/** Obsolete codes that some browsers still send. */
const renamedTags: ReadonlyMap<string, string> = new Map([
  ['in', 'id'],
  ['iw', 'he'],
  ['ji', 'yi'],
  ['jw', 'jv'],
  ['mo', 'ro'],
  ['sh', 'sr'],
]);

/** Maximum length of an `Accept-Language` header. The rest is ignored; only the first preference is read. */
export const maxLanguageLength = 64;

/**
 * Returns the index in {@link languages} of the first preference, or 0 if the header is empty or invalid.
 * @param header value of `Accept-Language`
 */
export function readLanguage(header: string): number {
  const [, tag = ''] = /^\s*([a-z]{2,3})(?=$|[\s,;_-])/i.exec(header.slice(0, maxLanguageLength)) ?? [];
  const primary = tag.toLowerCase();
  return numbers.get(renamedTags.get(primary) ?? primary) ?? 1;
}
