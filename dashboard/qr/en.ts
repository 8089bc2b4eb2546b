import { number } from '../texts/format.ts';

/** QR codes. */
export const qrTexts = {
  qr: {
    title: 'QR code',
    color: 'Colour',
    codeColor: 'Colour of the code',
    ground: 'Background',
    colors: { ink: 'Black', green: 'Green', blue: 'Blue', red: 'Red' },
    grounds: { white: 'White', paper: 'Paper', sand: 'Sand' },
    wrongColor: 'A colour is three or six hexadecimal digits, such as #1f4d41.',
    logo: 'Logo',
    chooseLogo: 'Choose a picture',
    changeLogo: 'Change',
    removeLogo: 'Remove the logo',
    logoHelp: 'Level H, so the code can lose what it covers',
    logoWrong: 'This is no picture that the browser can draw.',
    logoLarge: 'The picture is larger than 1 MB.',
    logoSize: 'Size of the logo',
    ofSide: (share: number) => `${number(share)}% of the side, 22% at most`,
    margin: 'Margin',
    quietZone: 'Quiet zone',
    modules: (n: number) =>
      n === 4
        ? '4 modules, as the standard asks'
        : `${number(n)} ${n === 1 ? 'module' : 'modules'}${n < 4 ? '; the standard asks for 4' : ''}`,
    size: 'Size',
    print: 'Print',
    screen: 'Screen',
    side: 'Side',
    resolution: 'Resolution',
    pixels: 'Pixels',
    pngOf: (pixels: number) => `PNG of ${number(pixels)} × ${number(pixels)} pixels.`,
    readFrom: (cm: number) => `Easily read from ${number(cm)} cm.`,
    sizeWrong: 'A picture has 64 to 4,096 pixels a side.',
    caption: 'Text below',
    png: 'PNG',
    svg: 'SVG',
    copy: 'Copy image',
    copied: 'Copied',
    contrast: (ratio: string) => `Contrast ${ratio}`,
    lowContrast: (ratio: string) => `Too little contrast (${ratio}); choose a darker colour.`,
    lightOnDark: 'Many cameras do not read light codes on a dark ground; exchange the two.',
    counted: 'Scans are counted apart',
    picture: (url: string) => `QR code of ${url}`,
    failed: 'The link could not be read',
  },
};
