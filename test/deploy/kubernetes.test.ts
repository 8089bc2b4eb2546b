import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  containerOf,
  environmentIn,
  imageEnvironment,
  podOf,
  read,
  resources,
  shutdownSeconds,
  workload,
} from './files.ts';

describe('deploy/kubernetes.yaml', () => {
  test('keeps the journal of every node on its own volume', () => {
    assert.equal(workload.kind, 'StatefulSet');
    const [claim, ...others] = workload.spec.volumeClaimTemplates ?? [];
    assert.deepEqual(others, []);
    const mount = containerOf(workload).volumeMounts.find(({ name }) => name === claim?.metadata.name);
    assert.equal(mount?.mountPath, imageEnvironment['DATA_DIR']);
  });

  test('selects the pods by labels', () => {
    for (const { spec, metadata } of resources) {
      const labels = 'matchLabels' in spec.selector ? spec.selector.matchLabels : spec.selector;
      assert.deepEqual(labels, workload.spec.template?.metadata.labels, metadata.name);
    }
    assert.ok(resources.some(({ metadata }) => metadata.name === workload.spec.serviceName));
  });

  test('uses the ports of a node', () => {
    const { ports, startupProbe, readinessProbe, livenessProbe } = containerOf(workload);
    const env = environmentIn(workload);
    const expected = { http: imageEnvironment['PORT'], metrics: env['METRICS_PORT'] };
    assert.deepEqual(
      Object.fromEntries(ports.map(({ name, containerPort }) => [name, String(containerPort)])),
      expected,
    );
    const named = resources.flatMap(({ spec }) => spec.ports ?? []).map((port) => port.targetPort);
    const probed = [startupProbe, readinessProbe, livenessProbe].map(({ httpGet }) => httpGet.port);
    for (const name of [...named, ...probed]) assert.ok(Object.hasOwn(expected, name), name);
  });

  test('has a volume for every mount, and a mount for every written path', () => {
    const claimed = (workload.spec.volumeClaimTemplates ?? []).map(({ metadata }) => metadata.name);
    const volumes = [...podOf(workload).volumes.map(({ name }) => name), ...claimed];
    const { volumeMounts } = containerOf(workload);
    assert.deepEqual(volumeMounts.map(({ name }) => name).sort(), volumes.sort());
    const paths = volumeMounts.map(({ mountPath }) => mountPath);
    assert.ok(paths.includes(imageEnvironment['DATA_DIR'] ?? ''));
    assert.ok(paths.some((path) => imageEnvironment['NODE_COMPILE_CACHE']?.startsWith(`${path}/`)));
    const secrets = Object.values(environmentIn(workload)).filter((value) => value.startsWith('/run/'));
    for (const secret of secrets) {
      const [, mount = '', file = ''] = /^(.+)\/([^/]+)$/.exec(secret) ?? [];
      assert.ok(paths.includes(mount), secret);
      assert.ok(read('kubernetes.yaml').includes(`--from-file=${file}`), file);
    }
  });

  test('runs pods as an unprivileged user with a read-only image and time to stop', () => {
    const pod = podOf(workload);
    assert.deepEqual([pod.securityContext.runAsNonRoot, pod.securityContext.runAsUser], [true, 65532]);
    assert.deepEqual(containerOf(workload).securityContext, {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
    const least = Number(environmentIn(workload)['SHUTDOWN_DELAY']) + shutdownSeconds;
    assert.ok(pod.terminationGracePeriodSeconds > least);
  });
});
