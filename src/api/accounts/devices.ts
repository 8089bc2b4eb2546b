import type { deviceEndpoints } from '../../contract/accounts/devices.ts';
import * as devices from '../../model/accounts/devices.ts';
import { formatOptionalTime, formatTimestamp } from '../../model/timestamps.ts';
import { countingAttempts } from '../request/attempts.ts';
import type { ApiContext, Handlers } from '../request/handler.ts';

/** Rate-limits failed attempts, because a device code is short enough to be guessed. */
function guarded<T>(context: ApiContext, keyId: string, work: () => Promise<T>): Promise<T> {
  return countingAttempts(context, `device codes of ${keyId}`, 'DEVICE_CODE_NOT_FOUND', work);
}

export const deviceHandlers: Handlers<typeof deviceEndpoints> = {
  beginDevice: {
    async run({ context, body }) {
      const { deviceCode, userCode } = await devices.beginDevice(context, body.name);
      const verificationUri = `${context.dashboardUrl()}/device`;
      const data = {
        deviceCode,
        userCode,
        verificationUri,
        verificationUriComplete: `${verificationUri}?code=${userCode}`,
        expiresIn: devices.deviceLifetimeMs / 1_000,
        interval: devices.pollSeconds,
      };
      return { success: true, data };
    },
    location: () => '/api/v1/devices/token',
  },

  takeDeviceKey: {
    async run({ context, body }) {
      const taken = await devices.redeemDeviceCode(context, body.deviceCode);
      if (taken.status !== 'approved')
        return { success: true, data: { status: taken.status, key: null, account: null, expiresAt: null } };
      const { token, key } = taken;
      const expiresAt = formatOptionalTime(key.expiresAt);
      return { success: true, data: { status: 'approved', key: token, account: key.account, expiresAt } };
    },
  },

  describeDevice: {
    async run({ context, key, body }) {
      const asked = await guarded(context, key.id, () => devices.describeDevice(context, body.userCode));
      return { success: true, data: { name: asked.name, expiresAt: formatTimestamp(asked.expiresAt) } };
    },
  },

  answerDevice: {
    async run({ context, key, actor, body: { userCode, approve } }) {
      await guarded(context, key.id, () => devices.answerDevice(context, actor, userCode, approve));
      return { success: true, data: { approved: approve } };
    },
  },
};
