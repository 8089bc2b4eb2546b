import { listed } from './listed.ts';

/** The installation's base URL. The expected outcomes of the hostile URLs and codes below apply to this URL. */
export const hostileBase = 'https://sho.rt';
export const hostileBlockList = [
  'evil.example',
  '*.blocked.example',
  'xn--bcher-kva.example',
  '203.0.113.66',
];

export interface HostileUrl {
  readonly url: string;
  readonly why: string;
  /** The error code if the URL is rejected, or else the short link's exact redirect target. */
  readonly outcome: { readonly refused: string } | { readonly location: string };
  /**
   * True if only BLOCK_PRIVATE_DESTINATIONS rejects the URL. All other URLs must have the same outcome with and without
   * that setting.
   */
  readonly privateBlocked: boolean;
}

function refused(code: string, groups: Readonly<Record<string, readonly string[]>>): HostileUrl[] {
  return Object.entries(groups).flatMap(([why, urls]) =>
    urls.map((url) => ({ url, why, outcome: { refused: code }, privateBlocked: false })),
  );
}

/** Returns URLs that are accepted. Each is written as `url -> location`, or alone if it redirects to itself. */
function accepted(groups: Readonly<Record<string, readonly string[]>>): HostileUrl[] {
  return Object.entries(groups).flatMap(([why, pairs]) =>
    pairs.map((pair) => {
      const [url = '', location = url] = pair.split(' -> ');
      return { url, why, outcome: { location }, privateBlocked: false };
    }),
  );
}

function privateHosts(urls: readonly string[]): HostileUrl[] {
  return urls.map((url) => ({
    url,
    why: 'a private or loopback host in disguise',
    outcome: { refused: 'DESTINATION_BLOCKED' },
    privateBlocked: true,
  }));
}

function long(prefix: string, length: number, filler = 'a'): string {
  return prefix + filler.repeat(length - [...prefix].length);
}

export const hostileUrls: readonly HostileUrl[] = [
  ...refused('INVALID_URL', {
    'another scheme': listed`
      javascript:alert(1) | JaVaScRiPt:alert(1) | javascript://example.com/%0aalert(1)
      javascript:https://example.com | data:text/html,<script>alert(1)</script>
      data:text/html;base64,PHNjcmlwdD4= | vbscript:msgbox(1) | file:///etc/passwd | file://example.com/share
      ftp://example.com/ | ws://example.com/ | wss://example.com/ | gopher://example.com/
      blob:https://example.com/uuid | filesystem:https://example.com/temporary/a | about:blank
      view-source:https://example.com | mailto:a@example.com | tel:+491234
      intent://example.com#Intent;scheme=https;end | chrome://settings | ms-msdt:/id
      jar:https://example.com!/a | feed:https://example.com | http+unix://socket/ | httpx://example.com
      shttp://example.com | xhttp://example.com | http-://example.com | h\u0442tp://example.com
      \uff48ttp://example.com | http\uff1a//example.com | http:\uff0f\uff0fexample.com`,
    'white space or a control character inside': listed`
      java\nscript:alert(1) | java\tscript:alert(1) | ht\ntp://example.com | http:\n//example.com
      http:/\t/example.com | http://exam\nple.com | http://exam\tple.com | http://example.com/a\rb
      http://example.com/\r\nSet-Cookie: a=b | http://example.com/\nLocation: javascript:alert(1)
      http://example.com/ \r\n\r\n<script>alert(1)</script> | http://example.com/\u0000
      http://example.com\u0000.evil.example/ | \u0000http://example.com/ | http://example.com/\u0000
      \u0001http://example.com/ | \u001fhttp://example.com/ | \u000bhttp://example.com/
      http://exa mple.com/ | http://example.com :80/ | http://example.com/\u007f | http://example.com/\u0085
      http://example.com/\u009f | http://example.com/\u00a0 | \u00a0http://example.com/
      http://example.com/\u1680 | http://example.com/\u2003 | http://example.com/\u2028
      http://example.com/\u2029Set-Cookie:a | http://example.com/\u3000
      http://example.com/?a=\tb | http://example.com/%0a\n%0a`,
    'a character that a reader cannot see, or that turns the text around': listed`
      http://example.com/\u200b | http://exam\u200bple.com/ | \u200bhttp://example.com/
      http://example.com/\u200e | http://example.com/\u200f | http://example.com/\u202egnp.exe
      http://\u202emoc.elpmaxe/ | http://example.com/\u202a\u202c | http://example.com/\u2066\u2069
      http://example.com/\u061c | http://example.com/\u00ad | http://exam\u00adple.com/
      http://example.com/\u2060 | http://exam\u2060ple.com/ | \ufeffhttp://example.com/
      http://example.com/\ufeff | http://example.com/\u180e | http://example.com/\ufff9a\ufffab\ufffb`,
    'a lone surrogate': listed`
      http://example.com/\ud800 | http://example.com/\udc00\ud800 | http://\ud83d.com/
      http://example.com/?q=\udfff`,
    'a backslash, which one parser takes for a slash': listed`
      http:\\\\example.com | http:/\\example.com | \\\\example.com\\a | http://example.com\\@evil.example/
      http://example.com\\.evil.example | https://example.com/a\\b | https://example.com/?a\\b
      https://example.com/#a\\b | http://\\example.com`,
    'slashes missing or too many': listed`
      http:example.com | http:/example.com | https:example.com/a | https:/example.com | http:///example.com
      http:////example.com | https:///example.com/ | http:javascript:alert(1) | https:javascript:alert(1)
      //example.com/a | ///example.com | /relative/path | ./relative | ../up | ?query | #fragment
      example.com | www.example.com/a | example.com:80/a | localhost:3000 | ://example.com | : | http | http:
      http:/ | not a url | <script>alert(1)</script> | "https://example.com" | 'https://example.com'
      <https://example.com> | [a](https://example.com) | url:https://example.com | https%3A%2F%2Fexample.com`,
    'no host': listed`
      http:// | https:// | http://? | http://# | http://?q=example.com | http://#example.com | http://\u0020
      http://:80 | http://:80/ | http://:/ | http://. | http://./ | http://.. | http://../ | http://.../`,
    'a host that cannot exist': listed`
      http://.example.com/ | http://example..com/ | http://example.com../ | http://sho.rt../ | http://%00/
      http://%/ | http://%zz/ | http://a%00b/ | http://a%2fb/ | http://a%5cb/ | http://a%23b/ | http://a%3fb/
      http://a%40b/ | http://a%20b/ | http://a%0d%0ab/ | http://a%25b/ | http://a<b/ | http://a>b/
      http://a^b/ | http://a|b/ | http://[/ | http://]/ | http://[]/ | http://[example.com]/
      http://example.com]/ | http://[::1/ | http://::1/ | http://[::1]a/ | http://[::g]/
      http://[1:2:3:4:5:6:7]/ | http://[1:2:3:4:5:6:7:8:9]/ | http://[1::2::3]/ | http://[::ffff:1.2.3]/
      http://[::ffff:1.2.3.256]/ | http://[fe80::1%eth0]/ | http://[fe80::1%25eth0]/ | http://[v1.a]/
      http://256.1.1.1/ | http://1.2.3.256/ | http://1.2.3.4.5/ | http://4294967296/ | http://0x100000000/
      http://0x1.2.3.4.5/ | http://08/ | http://1.2.3.08/ | http://\ufffd/ | http://a\u200db/
      http://\u0660.com/`,
    'a port that cannot exist': listed`
      http://example.com:65536/ | http://example.com:99999/ | http://example.com:4294967376/
      http://example.com:-1/ | http://example.com:+80/ | http://example.com:8o/ | http://example.com:80:80/
      http://example.com:0x50/ | http://example.com:80a/ | http://example.com:\uff18\uff10/
      http://example.com:%38%30/ | http://[::1]:port/`,
    'a name before the host, so that it reads as another': listed`
      https://bank.com@evil.test/ | https://bank.com:pw@evil.test/ | https://bank.com%40@evil.test/
      https://user@example.com | https://user:@example.com | https://:pw@example.com/ | https://@example.com/
      https://:@example.com/ | https://@@example.com/ | https://a@b@example.com/
      https://www.bank.com&x=y@evil.test | https://bank.com\uff0fpath@evil.test/
      https://bank.com:443@evil.test/ | https://%6a@evil.test/ | HTTPS://BANK.COM@EVIL.TEST
      https://sho.rt@evil.test/ | https://evil.test@sho.rt/`,
  }),
  ...refused('VALIDATION_ERROR', {
    nothing: ['', ' ', '\t\r\n\f '],
    'longer than 2,048 characters': [
      long('https://example.com/', 2_049),
      long('https://example.com/', 2_049, '\u{1f600}'),
      long('https://example.com/', 20_000),
      long('javascript:', 4_096),
    ],
  }),
  ...refused('SELF_REFERENTIAL_URL', {
    'our own short domain in disguise': listed`
      https://sho.rt | https://sho.rt/ | https://sho.rt/abc | http://sho.rt/abc | HTTPS://SHO.RT/abc
      https://Sho.Rt/abc | https://sho.rt./abc | https://sho.rt:443/abc | https://sho.rt:0443/abc
      http://sho.rt:80/abc | https://sho.rt:/abc | https://%73ho.rt/abc | https://sh%6F.rt/abc
      https://sho%2Ert/abc | https://\uff53\uff48\uff4f.rt/abc | https://sho\u3002rt/abc
      https://sho\uff0ert/abc | https://sho\uff61rt/abc | https://\u24e2\u24d7\u24de.rt/abc
      https://\ud835\udc2cho.rt/abc | https://\u017fho.rt/abc | https://sho.rt/abc?x=https://example.com
      https://sho.rt#https://example.com | https://sho.rt?https://example.com | \u0020https://sho.rt/abc\u0020
      https://sho.rt/../abc | https://sho.rt//example.com`,
  }),
  ...refused('DESTINATION_BLOCKED', {
    'a blocked host in disguise': listed`
      https://evil.example/ | https://EVIL.example/ | https://evil.example./ | https://evil.example:8443/
      https://e%76il.example/ | https://\uff45vil.example/ | https://evil\u3002example/
      https://a.blocked.example/ | https://a.b.c.blocked.example/ | https://A.BLOCKED.EXAMPLE./
      https://b\u00fccher.example/ | https://bu\u0308cher.example/ | https://B\u00dcCHER.example/
      https://xn--bcher-kva.example/ | https://XN--BCHER-KVA.example/ | http://203.0.113.66/
      http://203.0.113.66./ | http://203.0.28994/ | http://3405803842/ | http://0xcb007142/
      http://0313.0.0161.0102/ | http://0xcb.0x0.0x71.0x42/ | http://\uff12\uff10\uff13.0.113.66/`,
  }),
  ...privateHosts(listed`
    http://localhost/ | http://LOCALHOST/ | http://localhost./ | http://a.localhost/ | http://l%6fcalhost/
    http://\u24dbocalhost/ | http://printer.local/ | http://vault.internal/ | http://metadata.google.internal/
    http://127.0.0.1/ | http://127.0.0.1./ | http://127.1/ | http://127.255.255.254/ | http://2130706433/
    http://0x7f000001/ | http://0x7f.1/ | http://0177.0.0.1/ | http://017700000001/
    http://\uff11\uff12\uff17.0.0.1/ | http://127\u30020\u30020\u30021/ | http://0/ | http://0.0.0.0/
    http://00000000000/ | http://10.0.0.1/ | http://10.255.255.255/ | http://0xa000001/ | http://172.16.0.1/
    http://172.31.255.255/ | http://192.168.0.1/ | http://192.168.1/ | http://3232235777/
    http://169.254.169.254/latest/meta-data/ | http://0xa9fea9fe/ | http://100.64.0.1/
    http://100.127.255.255/ | http://198.18.0.1/ | http://198.19.255.255/ | http://224.0.0.1/
    http://255.255.255.255/ | http://[::]/ | http://[::1]/ | http://[0:0:0:0:0:0:0:1]/ | http://[::0001]:8080/
    http://[::ffff:127.0.0.1]/ | http://[::ffff:7f00:1]/ | http://[::FFFF:10.0.0.1]/
    http://[0:0:0:0:0:ffff:c0a8:1]/ | http://[::127.0.0.1]/ | http://[64:ff9b::10.0.0.1]/ | http://[fc00::1]/
    http://[fdff::1]/ | http://[fe80::1]/ | http://[febf::1]/ | http://[ff02::1]/ | http://192.0.0.1/
    http://192.0.2.1/ | http://[2001:DB8::1]/ | http://[2002:7f00:1::]/ | http://[2002:c0a8:0101::1]/
    http://[64:ff9b:1::7f00:1]/ | http://[::ffff:0:7f00:1]/ | http://[::ffff:0:127.0.0.1]/
    http://[2001:0:7f00:1::]/ | http://[2001:0:53aa:64c::80ff:fffe]/ | http://localhost6/ | http://localhost4/
    http://ip6-localhost/ | http://IP6-Loopback./ | http://localhost.localdomain/
    http://localhost6.localdomain6/ | http://notlocalhost/ | http://router/ | http://local/
    http://nas.home.arpa/ | http://home.arpa./ | http://wiki.corp/ | http://fritz.box.lan/`),
  ...accepted({
    'white space at the ends is trimmed': listed`
      \u0020https://example.com/a -> https://example.com/a
      https://example.com/a\r\n -> https://example.com/a
      \t\n\f\r https://example.com/a \t -> https://example.com/a`,
    'spaces after the host are percent-encoded': listed`
      http://example.com/a b?c  d#e f -> http://example.com/a%20b?c%20%20d#e%20f
      http://example.com/#a b -> http://example.com/#a%20b | http://example.com?a b -> http://example.com/?a%20b
      http://example.com/ @evil.test -> http://example.com/%20@evil.test`,
    'case and default ports are made plain': listed`
      HTTPS://EXAMPLE.COM -> https://example.com/ | hTtP://ExAmPlE.cOm/PaTh -> http://example.com/PaTh
      http://example.com:80/ -> http://example.com/ | https://example.com:443/ -> https://example.com/
      http://example.com:443/ | https://example.com:80/`,
    'ports at the edges': listed`
      http://example.com:/ -> http://example.com/ | http://example.com:0/ | http://example.com:1/
      http://example.com:65535/ | http://example.com:00080/ -> http://example.com/
      http://example.com:008080/ -> http://example.com:8080/`,
    'international hosts become punycode': listed`
      https://b\u00fccher.test/ -> https://xn--bcher-kva.test/
      https://fa\u00df.de/ -> https://xn--fa-hia.de/
      https://\u0440\u0430\u0443\u0440\u0430l.com/ -> https://xn--l-7sba6dbr.com/
      https://\u0430pple.com/ -> https://xn--pple-43d.com/
      https://\u4f8b\u3048.\u30c6\u30b9\u30c8/ -> https://xn--r8jz45g.xn--zckzah/
      https://\ud83d\ude00.com/ -> https://xn--e28h.com/
      https://ex\u00e4mple\u3002com/ -> https://xn--exmple-cua.com/
      https://\u24d4xample.com/ -> https://example.com/
      https://\uff45\uff58\uff41\uff4d\uff50\uff4c\uff45.com/ -> https://example.com/
      https://sh\u043e.rt/ -> https://xn--sh-gmc.rt/ | https://xn--e28h.com/ | https://a_b.example.com/
      https://ex%61mple.com/ -> https://example.com/`,
    'a host that only resembles ours or a blocked one': listed`
      https://sho.rt.evil.test/ | https://notsho.rt/ | https://a.sho.rt/ | https://sho.rt:8443/
      https://example.com/sho.rt | https://example.com/?u=https://sho.rt/a | https://example.com/#@sho.rt
      https://blocked.example/ | https://notblocked.example/ | https://notevil.example/
      https://www.evil.example/ | https://evil.example.com/ | http://203.0.114.66/`,
    'an at sign behind the host is no user info': listed`
      https://example.com/@user | https://example.com/a@b:c
      https://example.com?a@evil.test -> https://example.com/?a@evil.test
      https://example.com#@evil.test -> https://example.com/#@evil.test
      https://example.com/https://a:b@evil.test/`,
    'encoded line breaks stay encoded': listed`
      https://example.com/%0d%0aSet-Cookie:%20a=b | https://example.com/%0A%0D?%0a#%0d
      https://example.com/%00 | https://example.com/%E5%98%8A%E5%98%8D
      https://example.com/\u560a\u560dSet-Cookie:a -> https://example.com/%E5%98%8A%E5%98%8DSet-Cookie:a
      https://example.com/%250d%250a`,
    'what means something in HTML or headers is encoded where the URL standard says so': listed`
      https://example.com/"><script> -> https://example.com/%22%3E%3Cscript%3E
      https://example.com/?"><script> -> https://example.com/?%22%3E%3Cscript%3E
      https://example.com/#"><script>\u0060 -> https://example.com/#%22%3E%3Cscript%3E%60
      https://example.com/' | https://example.com/?' -> https://example.com/?%27
      https://example.com/#'onload=' | https://example.com/{a}^|\u0060 -> https://example.com/%7Ba%7D%5E|%60
      https://example.com/a;b,c=d&e | https://example.com/;url=javascript:alert(1)
      https://example.com/javascript:alert(1)`,
    'broken percent-encoding is kept as it is': listed`
      https://example.com/% | https://example.com/%zz | https://example.com/%c0%ae%c0%ae/
      https://example.com/%u0041 | https://example.com/100%25`,
    'dots in the path are resolved': listed`
      https://example.com/a/../b -> https://example.com/b
      https://example.com/a/%2e%2e/b -> https://example.com/b
      https://example.com/../../etc/passwd -> https://example.com/etc/passwd
      https://example.com/./a -> https://example.com/a | https://example.com//a | https://example.com/..;/a`,
    'Unicode behind the host becomes UTF-8 in percent-encoding': listed`
      https://example.com/\u00fc?\u00fc#\u00fc -> https://example.com/%C3%BC?%C3%BC#%C3%BC
      https://example.com/\u65e5\u672c\u8a9e -> https://example.com/%E6%97%A5%E6%9C%AC%E8%AA%9E
      https://example.com/\ud83d\udc68\u200d\ud83d\udc69 -> https://example.com/%F0%9F%91%A8%E2%80%8D%F0%9F%91%A9
      https://example.com/\udbff\udfff -> https://example.com/%F4%8F%BF%BF
      https://example.com/\ufffe\uffff -> https://example.com/%EF%BF%BE%EF%BF%BF
      https://example.com/e\u0301 -> https://example.com/e%CC%81
      https://example.com/\uff0f\uff0e\uff0e -> https://example.com/%EF%BC%8F%EF%BC%8E%EF%BC%8E
      https://example.com/\ufdfa -> https://example.com/%EF%B7%BA`,
    'no path, or nothing but marks': listed`
      https://example.com -> https://example.com/ | https://example.com? -> https://example.com/?
      https://example.com# -> https://example.com/# | https://example.com/?# | https://example.com/???###
      https://example.com/?a=https://b.test/?c=d#e#f | https://example.com. -> https://example.com./`,
    'public addresses in other spellings become plain': listed`
      http://1.1/ -> http://1.0.0.1/ | http://134744072/ -> http://8.8.8.8/
      http://0x8.0x8.0x8.0x8/ -> http://8.8.8.8/ | http://010.8.8.8/ -> http://8.8.8.8/ | http://172.15.0.1/
      http://172.32.0.1/ | http://11.0.0.1/ | http://126.255.255.255/ | http://128.0.0.1/ | http://100.63.0.1/
      http://100.128.0.1/ | http://169.253.1.1/ | http://192.167.0.1/ | http://198.17.0.1/
      http://198.20.0.1/ | http://223.255.255.255/ | http://[2001:4860:4860::8888]/
      http://[2606:4700:4700::1111]:8080/a | http://[::ffff:8.8.8.8]/ -> http://[::ffff:808:808]/
      http://127.0.0.1.example.com/ | http://localhost.example.com/ | http://notlocalhost.example/
      http://homexarpa.example/ | http://local.example/`,
    'as long as it may be': [
      long('https://example.com/', 2_048),
      `${long('https://example.com/', 2_048)}    -> ${long('https://example.com/', 2_048)}`,
      `${long('https://example.com/', 900, '\u00fc')} -> https://example.com/${'%C3%BC'.repeat(880)}`,
    ],
  }),
];

export interface HostileCode {
  readonly code: string;
  readonly why: string;
  /** The error code, or undefined for a valid code. */
  readonly refused?: string;
}

function codes(
  refusedWith: string | undefined,
  groups: Readonly<Record<string, readonly string[]>>,
): HostileCode[] {
  return Object.entries(groups).flatMap(([why, all]) =>
    all.map((code) => ({ code, why, ...(refusedWith !== undefined && { refused: refusedWith }) })),
  );
}

function ofLengths(from: number, to: number, symbol = 'z'): string[] {
  return Array.from({ length: to - from + 1 }, (_, index) => symbol.repeat(from + index));
}

function mixedCase(word: string): string {
  return [...word].map((letter, index) => (index % 2 === 0 ? letter : letter.toUpperCase())).join('');
}

export const hostileCodes: readonly HostileCode[] = [
  ...codes('VALIDATION_ERROR', {
    'too short or too long, in code points': [
      '',
      '-',
      '..',
      ' ',
      '\u{1f600}',
      '\u{1f600}'.repeat(51),
      ...ofLengths(1, 2),
      ...ofLengths(51, 60),
      'x'.repeat(5_000),
    ],
    'a control character or a lone surrogate': listed`
      ab\u0000 | \u0000\u0000\u0000 | ab\ncd | ab\tcd | ab\r\ncd | ab\u001b[31m | ab\ud800 | \udc00ab`,
  }),
  ...codes('INVALID_CUSTOM_CODE', {
    'a first character that is neither letter nor digit': listed`-abc | _abc | --- | ___ | -_- | --help | -rf`,
    'a character no code may have': listed`
      a b | \u0020abc | abc\u0020 | a.b | ... | abc.html | robots.txt | favicon.ico | .well-known | a/b | /abc
      abc/ | ../abc | ..%2fabc | a\\b | a%41 | %2e%2e | abc%00 | abc%0d%0a | a?b | a#b | a&b | a=b | a+b
      abc+ | a:b | a;b | a,b | a@b | a!b | a~b | a*b | a'b | a"b | a\u0060b | a|b | a$b | a^b | (abc) | [abc]
      {abc} | <abc> | <script> | ' OR 1=1 -- | #{7*7} | {{7*7}} | :id | *abc`,
    'Unicode, look-alikes first': listed`
      s\u0430le | \uff53\uff41\uff4c\uff45 | ab\u0456 | \u0391BC | l\u043egin | \u0430dmin | adm\u0131n
      lin\u212afold | \u017fale | caf\u00e9 | cafe\u0301 | stra\u00dfe | \u65e5\u672c\u8a9e
      \u0645\u0631\u062d\u0628\u0627 | \ud83d\ude00\ud83d\ude00\ud83d\ude00 | abc\ud83d\ude00
      \ud835\udc1a\ud835\udc1b\ud835\udc1c | \u2460\u2461\u2462 | \u0661\u0662\u0663 | abc\u200b | \u200babc
      a\u200dbc | abc\u202e | abc\ufeff | abc\u00ad | abc\u00a0 | a\u2010b | a\u2013b | abc\u007f | abc\u0085
      abc\ufe0f | \ud83d\ude00\ud83d\ude00\ud83d\ude00\ud83d\ude00
      \ud83d\ude00\ud83d\ude00\ud83d\ude00\ud83d\ude00\ud83d\ude00`,
  }),
  ...codes('CUSTOM_CODE_RESERVED', {
    'a reserved word in any case': ['api', 'stats', 'console', 'login', 'admin'].flatMap((word) => [
      word,
      word.toUpperCase(),
      mixedCase(word),
    ]),
  }),
  ...codes(undefined, {
    'every good length': ofLengths(3, 50),
    'odd, but good': listed`
      A-- | 0__ | a_- | 000 | 9-9 | NULL | null2 | undefined | constructor | hasOwnProperty | toString
      prototype | NaN | Infinity | true | 1e5 | 0x1F | api2 | apiv1 | login-now | con
      a-very-long-but-perfectly-fine_code_0123456789`,
  }),
];

/** Pairs of spellings of the same code. The account that creates the first spelling also owns the second. */
export const caseVariants: readonly (readonly [string, string])[] = [
  ['Summer-Sale', 'summer-sale'],
  ['WINTER', 'winter'],
  ['aBcDeF', 'AbCdEf'],
  ['x-1_Y', 'X-1_y'],
  ['kKk', 'KkK'],
  ['iIi', 'IiI'],
];
