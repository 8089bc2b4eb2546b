import type { Brand } from './pages/brand.ts';
import { headersOf } from './pages/layout.ts';
import type { Visit } from './visit.ts';

type Headers = Readonly<Record<string, string>>;

/** Whether a browser asks, which shows pages. */
export function wantsHtml(visit: Visit): boolean {
  return visit.accept().includes('text/html');
}
/** Whether a program asks that says it reads JSON. */
export function wantsJson(visit: Visit): boolean {
  return visit.accept().includes('application/json') && !wantsHtml(visit);
}

/** Sends a page, in the looks of an account where there is one. */
export function sendPage(
  visit: Visit,
  page: string,
  status = 200,
  headers: Headers = {},
  brand?: Brand,
): void {
  return visit.send(status, { ...headers, ...headersOf(brand) }, page);
}

/** Sends a page whose form leads on. */
export function sendForm(visit: Visit, page: (brand?: Brand) => string, brand: Brand | undefined): void {
  visit.send(200, headersOf(brand, true), page(brand));
}
