import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  containerOf,
  environmentIn,
  imageEnvironment,
  podOf,
  type Resource,
  read,
  shutdownSeconds,
  statefulResources,
  workloads,
} from './files.ts';

describe('deploy/kubernetes.yaml and kubernetes-deployment.yaml', () => {
  const [stateful, deployment] = workloads;

  test('hold a StatefulSet and a Deployment of the same name, to be put in place of each other', () => {
    assert.deepEqual(
      workloads.map(({ kind, metadata }) => [kind, metadata.name]),
      [
        ['StatefulSet', 'linkfold'],
        ['Deployment', 'linkfold'],
      ],
    );
    // What differs: where clicks go first, and what holds them.
    const withoutData = (resource: Resource | undefined): object => {
      const pod = podOf(resource);
      const container = containerOf(resource);
      return {
        ...pod,
        volumes: pod.volumes.filter(({ name }) => name !== 'data'),
        containers: {
          ...container,
          env: container.env.filter(({ name }) => name !== 'CLICK_SINK'),
          volumeMounts: container.volumeMounts.filter(({ mountPath }) => mountPath !== '/data'),
        },
      };
    };
    assert.deepEqual(withoutData(stateful), withoutData(deployment));
    assert.deepEqual(deployment?.spec.strategy?.rollingUpdate, { maxUnavailable: 0, maxSurge: 1 });
  });

  test('labels select the pods', () => {
    for (const { spec, metadata } of [...statefulResources, ...workloads]) {
      const labels = 'matchLabels' in spec.selector ? spec.selector.matchLabels : spec.selector;
      for (const workload of workloads) {
        assert.deepEqual(labels, workload.spec.template?.metadata.labels, metadata.name);
      }
    }
    assert.ok(statefulResources.some(({ metadata }) => metadata.name === stateful?.spec.serviceName));
  });

  test('ports are those that a node listens on', () => {
    for (const workload of workloads) {
      const { ports, startupProbe, readinessProbe, livenessProbe } = containerOf(workload);
      const env = environmentIn(workload);
      const expected = { http: imageEnvironment['PORT'], metrics: env['METRICS_PORT'] };
      assert.deepEqual(
        Object.fromEntries(ports.map(({ name, containerPort }) => [name, String(containerPort)])),
        expected,
      );
      const named = statefulResources.flatMap(({ spec }) => spec.ports ?? []).map((port) => port.targetPort);
      const probed = [startupProbe, readinessProbe, livenessProbe].map(({ httpGet }) => httpGet.port);
      for (const name of [...named, ...probed]) assert.ok(Object.hasOwn(expected, name), name);
    }
  });

  test('every mount has its volume, and everything that is written has a mount', () => {
    for (const workload of workloads) {
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
    }
  });

  test('pods run as nobody in particular, change nothing of the image, and have the time to stop', () => {
    for (const workload of workloads) {
      const pod = podOf(workload);
      assert.deepEqual([pod.securityContext.runAsNonRoot, pod.securityContext.runAsUser], [true, 1000]);
      assert.deepEqual(containerOf(workload).securityContext, {
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
      const least = Number(environmentIn(workload)['SHUTDOWN_DELAY']) + shutdownSeconds;
      assert.ok(pod.terminationGracePeriodSeconds > least);
    }
  });
});
