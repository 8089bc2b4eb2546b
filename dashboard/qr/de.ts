import { number } from '../texts/format.ts';
import type { en } from './en.ts';

export const de: typeof en = {
  qr: {
    title: 'QR-Code',
    color: 'Farbe',
    codeColor: 'Farbe des Codes',
    ground: 'Hintergrund',
    colors: { ink: 'Schwarz', green: 'Grün', blue: 'Blau', red: 'Rot' },
    grounds: { white: 'Weiß', paper: 'Papier', sand: 'Sand' },
    wrongColor: 'Eine Farbe hat drei oder sechs hexadezimale Ziffern, zum Beispiel #1f4d41.',
    logo: 'Logo',
    chooseLogo: 'Bild auswählen',
    changeLogo: 'Ändern',
    removeLogo: 'Logo entfernen',
    logoHelp: 'Stufe H, damit der Code entbehren kann, was es verdeckt',
    logoWrong: 'Das ist kein Bild, das der Browser zeichnen kann.',
    logoLarge: 'Das Bild ist größer als 1 MB.',
    logoSize: 'Größe des Logos',
    ofSide: (share: number) => `${number(share)} % der Seite, höchstens 22 %`,
    margin: 'Rand',
    quietZone: 'Ruhezone',
    modules: (n: number) =>
      n === 4
        ? '4 Module, wie es die Norm verlangt'
        : `${number(n)} ${n === 1 ? 'Modul' : 'Module'}${n < 4 ? '; die Norm verlangt 4' : ''}`,
    size: 'Größe',
    print: 'Druck',
    screen: 'Bildschirm',
    side: 'Seite',
    resolution: 'Auflösung',
    pixels: 'Pixel',
    pngOf: (pixels: number) => `PNG mit ${number(pixels)} × ${number(pixels)} Pixeln.`,
    readFrom: (cm: number) => `Gut lesbar aus ${number(cm)} cm.`,
    sizeWrong: 'Ein Bild hat 64 bis 4.096 Pixel je Seite.',
    caption: 'Text darunter',
    png: 'PNG',
    svg: 'SVG',
    copy: 'Bild kopieren',
    copied: 'Kopiert',
    contrast: (ratio: string) => `Kontrast ${ratio}`,
    lowContrast: (ratio: string) => `Zu wenig Kontrast (${ratio}); eine dunklere Farbe wählen.`,
    lightOnDark: 'Viele Kameras lesen keine hellen Codes auf dunklem Grund; die beiden tauschen.',
    counted: 'Scans werden getrennt gezählt',
    picture: (url: string) => `QR-Code von ${url}`,
  },
};
