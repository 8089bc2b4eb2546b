import { useEffect, useRef, useState } from 'preact/hooks';
import { ApiError } from '../../src/client/client.ts';
import { onSight } from '../browser/sight.ts';
import { api } from '../data/client.ts';
import type { Domain } from '../data/domains.ts';
import { may } from '../data/session-state.ts';
import { isComplete, waitAfter } from './model.ts';
import { t } from './texts.ts';
import { explainRefusal } from './words.tsx';

/**
 * Checks a domain's DNS records repeatedly while the page is visible, at increasing intervals, until all records are
 * found.
 */
export function useChecks(domain: Domain, onLooked: (domain: Domain) => void) {
  const [isChecking, setChecking] = useState(false);
  const [fault, setFault] = useState<string>();
  const [isTaken, setTaken] = useState(false);
  const checks = useRef(0);
  const { id, checkedAt } = domain;
  const isDone = isComplete(domain) || isTaken;

  const check = async () => {
    checks.current += 1;
    setChecking(true);
    try {
      onLooked(may('domains:write') ? await api.verifyDomain(id) : await api.getDomain(id));
      setFault(undefined);
      setTaken(false);
    } catch (error) {
      const isOther = error instanceof ApiError && error.code === 'DOMAIN_TAKEN';
      setTaken(isOther);
      setFault(isOther ? t.domains.takenBy : explainRefusal(error));
    }
    setChecking(false);
  };
  useEffect(() => {
    if (isDone || isChecking) return undefined;
    let timer: number | undefined;
    const wait = () => {
      clearTimeout(timer);
      if (!document.hidden) timer = window.setTimeout(() => void check(), waitAfter(checks.current));
    };
    wait();
    document.addEventListener('visibilitychange', wait);
    // A user who returns to this page has probably just changed the records at the DNS provider, so start again with
    // short intervals.
    const end = onSight(() => {
      checks.current = 0;
      wait();
    });
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', wait);
      end();
    };
  }, [id, checkedAt, isDone, isChecking]);
  const checkNow = () => {
    checks.current = 0;
    return check();
  };
  return { checkNow, isChecking, fault };
}
