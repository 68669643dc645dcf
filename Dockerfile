# JupyterLab with Gaucho, for a laptop, for JupyterHub, and for Binder, which finds this file by itself.
#
#   docker build -t gaucho . && docker run --rm -p 8888:8888 gaucho

FROM golang:1.26-bookworm AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
RUN make build && mv gaucho /gaucho

FROM python:3.13-slim-bookworm
RUN pip install --no-cache-dir jupyterlab==4.6.6 notebook jupyterhub jupyterlab_widgets==3.0.17
COPY --from=build /gaucho /usr/local/bin/gaucho
COPY LICENSE NOTICE install/licences/LICENSES.txt /usr/local/share/doc/gaucho/
RUN gaucho install --prefix /usr/local

# The user whom Binder expects.
ARG NB_USER=jovyan
ARG NB_UID=1000
ENV USER=${NB_USER} HOME=/home/${NB_USER}
RUN useradd --create-home --uid ${NB_UID} ${NB_USER}
COPY --chown=${NB_UID} notebooks ${HOME}/notebooks
USER ${NB_USER}
WORKDIR ${HOME}
EXPOSE 8888
CMD ["jupyter", "lab", "--ip=0.0.0.0", "--no-browser"]
