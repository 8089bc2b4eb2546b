{{/* Name of all resources: the release's name, plus the chart's name unless the release's name contains it. */}}
{{- define "linkfold.name" -}}
{{- if contains "linkfold" .Release.Name }}{{ .Release.Name | trunc 50 | trimSuffix "-" }}{{ else }}{{ printf "%s-linkfold" .Release.Name | trunc 50 | trimSuffix "-" }}{{ end }}
{{- end }}

{{/* Fails for a setting that this version does not have or does not read from a file. Allows settings of Node and the C library, which settings.txt does not list. */}}
{{- define "linkfold.checkSettings" -}}
{{- $known := .Files.Get "settings.txt" | splitList "\n" }}
{{- range $of, $names := dict "settings" (keys .Values.settings) "secrets" (keys .Values.secrets) }}
{{- range $names }}
{{- $read := ternary . (printf "%s_FILE" .) (eq $of "settings") }}
{{- if not (or (has $read $known) (regexMatch "^(NODE|MALLOC|SSL|TZ)(_|$)" $read)) }}
{{- fail (printf "%s.%s cannot be set: it is not a setting (see docs/configuration.md), or another value of the chart sets it." $of .) }}
{{- end }}
{{- end }}
{{- end }}
{{- end }}

{{- define "linkfold.selector" -}}
app.kubernetes.io/name: linkfold
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "linkfold.labels" -}}
{{ include "linkfold.selector" . }}
app.kubernetes.io/version: {{ .Values.image.tag | default .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}
