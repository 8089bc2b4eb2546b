import { useEffect, useState } from 'preact/hooks';
import type { DescribeDeviceResult } from '../../src/client/client.ts';
import { query } from '../browser/location.ts';
import { Fault, useAsk } from '../components/ask.tsx';
import { Button } from '../components/button.tsx';
import { TextField } from '../components/field.tsx';
import { Page } from '../components/page.tsx';
import { api } from '../data/client.ts';
import { me } from '../data/session-state.ts';
import { t } from './texts.ts';

/** Page that authorizes a CLI or another program. Shows the program and the account, with Allow and Deny buttons. */
export function Device() {
  const [code, setCode] = useState(query.value.get('code') ?? '');
  const [device, setDevice] = useState<DescribeDeviceResult>();
  const [result, setResult] = useState<string>();
  const { fault, setFault, ask } = useAsk();
  const load = () => api.describeDevice({ userCode: code }).then(setDevice, () => setFault(t.device.unknown));
  useEffect(() => {
    if (code !== '') void load();
  }, []);
  const answer = (approve: boolean) => () =>
    void ask(async () => {
      await api.answerDevice({ userCode: code, approve });
      setResult(approve ? t.device.approved : t.device.denied);
    });
  const { value } = me;
  if (result !== undefined)
    return (
      <Page title={t.device.title}>
        <p role="status">{result}</p>
      </Page>
    );
  return (
    <Page title={t.device.title}>
      <form
        class="device"
        onSubmit={(event) => {
          event.preventDefault();
          void load();
        }}
      >
        {value?.person == null ? (
          <p>{t.device.membersOnly}</p>
        ) : device === undefined ? (
          <>
            <TextField
              label={t.device.code}
              value={code}
              size="large"
              placeholder="XXXX-XXXX"
              onInput={setCode}
              input={{ autofocus: true, autocomplete: 'off', maxLength: 40 }}
            />
            <div>
              <Button kind="primary" type="submit">
                {t.device.look}
              </Button>
            </div>
          </>
        ) : (
          <>
            <p>
              <b dir="auto">{device.name}</b> {t.device.wants(value.person.name, value.account)}
            </p>
            <p class="device-code">{code.toUpperCase()}</p>
            <p class="small soft">{t.device.warning}</p>
            <div class="ways">
              <Button kind="primary" onClick={answer(true)}>
                {t.device.approve}
              </Button>
              <Button onClick={answer(false)}>{t.device.deny}</Button>
            </div>
          </>
        )}
        <Fault text={fault} />
      </form>
    </Page>
  );
}
