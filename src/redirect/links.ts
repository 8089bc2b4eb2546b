import type { Target } from '../model/links/link-records.ts';
import type { Reads } from '../model/storage.ts';
import { isSpecial, takesForm } from './admission.ts';
import { couldBeCodeOn, isExactly, keyOn } from './domains.ts';
import { methodNotAllowed } from './files.ts';
import type { Follow } from './follow.ts';
import type { CodePath } from './path.ts';
import type { ShowPreview } from './previews.ts';
import type { Refuse } from './refusals.ts';
import type { Fail } from './send.ts';
import type { AnswerSpecial } from './special-links.ts';
import type { UnknownCodes } from './unknown-codes.ts';
import type { Visit } from './visit.ts';

interface LinksOptions {
  readonly storage: Pick<Reads, 'findTarget'>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly follow: Follow;
  readonly refuse: Refuse;
  readonly showPreview: ShowPreview;
  readonly answerSpecial: AnswerSpecial;
  readonly unknown: UnknownCodes;
  /** Answers a path that is not public. */
  readonly notFound: (visit: Visit) => void;
  /** Whether codes may have so many segments as this one. */
  readonly isAllowed: (visit: Visit, code: string) => boolean;
  readonly fail: Fail;
}

/** Answers visits of short codes by GET and HEAD: looks the link up, and answers a plain one itself. */
export function createLinks(options: LinksOptions): (visit: Visit, path: CodePath) => void {
  const { storage, now, follow, refuse, showPreview, answerSpecial, unknown, fail } = options;
  const { notFound, isAllowed } = options;

  const answer = (visit: Visit, path: CodePath, target: Target | undefined): void => {
    if (target === undefined) return answerUnknown(visit, path);
    if (isSpecial(target)) return answerSpecial(visit, path, target);
    const at = now();
    if (target.expiresAt !== null && at >= target.expiresAt) return void refuse(visit, 'expired', target);
    if (path.preview) void showPreview(visit, path.code, target);
    else follow(visit, target, at);
  };

  /** More segments than the operator allows are no unknown code, but a guess: links of before have them. */
  const answerUnknown = (visit: Visit, { kind, code }: CodePath): void => {
    if (isAllowed(visit, code)) unknown.answer(visit, code);
    else if (kind === 'code') unknown.answer(visit);
    else if (!unknown.isLimited(visit)) notFound(visit);
  };

  const lookUp = (visit: Visit, path: CodePath): void => {
    try {
      const found = storage.findTarget(keyOn(visit.domain, path.code));
      if (!(found instanceof Promise)) return answer(visit, path, found);
      found.then((target) => answer(visit, path, target)).catch((error: unknown) => fail(visit, error));
    } catch (error) {
      fail(visit, error);
    }
  };

  /** An exact code may end with a plus: then that one is meant, and no preview. */
  const lookUpPlus = async (visit: Visit, path: CodePath): Promise<void> => {
    try {
      const literal = { ...path, code: `${path.code}+`, preview: false };
      const target = await storage.findTarget(keyOn(visit.domain, literal.code));
      if (target === undefined) lookUp(visit, path);
      else answer(visit, literal, target);
    } catch (error) {
      fail(visit, error);
    }
  };

  return (visit, path) => {
    if (!couldBeCodeOn(visit.domain, path.code)) unknown.answer(visit);
    else if (path.preview && isExactly(visit.domain)) void lookUpPlus(visit, path);
    else lookUp(visit, path);
  };
}

/**
 * Answers forms that are sent to short codes: the button of a link that works once, or a password. Guesses of codes count as
 * those by GET do.
 */
export function createForms({
  storage,
  answerSpecial,
  unknown,
  notFound,
  isAllowed,
  fail,
}: LinksOptions): (visit: Visit, path: CodePath) => Promise<void> {
  return async (visit, path) => {
    const { kind, code } = path;
    try {
      const couldBe = couldBeCodeOn(visit.domain, code);
      const target = couldBe ? await storage.findTarget(keyOn(visit.domain, code)) : undefined;
      if (target !== undefined && isSpecial(target) && takesForm(target))
        return answerSpecial(visit, path, target);
      if (target === undefined && couldBe && unknown.isLimited(visit)) return;
      if (kind === 'segments' && !isAllowed(visit, code)) notFound(visit);
      else fail(visit, methodNotAllowed());
    } catch (error) {
      fail(visit, error);
    }
  };
}
