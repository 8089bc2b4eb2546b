{{/* The name of all resources: the release's, with the chart's unless that is in it. */}}
{{- define "linkfold.name" -}}
{{- if contains "linkfold" .Release.Name }}{{ .Release.Name | trunc 50 | trimSuffix "-" }}{{ else }}{{ printf "%s-linkfold" .Release.Name | trunc 50 | trimSuffix "-" }}{{ end }}
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
