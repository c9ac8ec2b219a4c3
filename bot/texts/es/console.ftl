# La terminal: listados, fuentes, órdenes y avisos.

listing-total =
    { $total ->
        [one] 1 página con «{ $text }»
       *[other] { $total } páginas con «{ $text }»
    }
listing-page = página { $page } de { $pages }
listing-missing = No aparece en ninguna página: { $words }.
listing-apart = Sus palabras no están juntas en ninguna página; prueba con menos.
listing-no-product = Sin producto
listing-automatic =
    { $count ->
        [one] 1 página automática:
       *[other] { $count } páginas automáticas:
    }
listing-past-the-end = No hay página { $page }: los resultados acaban en la { $pages }.
listing-nothing = Ninguna página contiene «{ $text }».
listing-suggestions = ¿Quizá { $words }? Son palabras parecidas que sí están en la wiki.
listing-more = Escribe { $command } para ver la página siguiente.

status-draft = borrador
status-archived = archivada
status-stale = desactualizada

sources-heading = Fuentes
age-days =
    { $count ->
        [0] hoy
        [one] hace 1 día
       *[other] hace { $count } días
    }
age-months =
    { $count ->
        [one] hace 1 mes
       *[other] hace { $count } meses
    }
age-years =
    { $count ->
        [one] hace 1 año
       *[other] hace { $count } años
    }

other-way-search = ¿Preferías las páginas que lo nombran? Escribe { $command }
other-way-ask = ¿Preferías una respuesta? Escribe { $command }

stage-searching = Buscando en la wiki…
stage-writing = Escribiendo la respuesta…

welcome = Pregunta lo que quieras saber de la wiki, o escribe unas palabras para buscarlas. { $help } cuenta más; { $quit } termina.
console-help =
    Una pregunta recibe una respuesta con sus fuentes; lo que escribas después la continúa.
    Unas pocas palabras, al empezar, reciben las páginas que las contienen.

    /buscar PALABRAS    busca las palabras tal cual (sin palabras: las de tu último mensaje)
    /preguntar TEXTO    pide una respuesta (sin texto: la de tu último mensaje)
    /más                la página siguiente del último listado
    /fuentes [N]        los pasajes de la última respuesta, o solo el N
    /nuevo              empieza otra conversación
    /ayuda              esta ayuda
    /salir              termina (también Ctrl-D); Ctrl-C detiene la pregunta en curso
unknown-command = No conozco la orden { $command }. Escribe { $help } para ver las que hay.
unknown-command-near = No conozco la orden { $command }. ¿Querías decir { $near }?
command-needs-text = Escribe algo después de { $command }, por ejemplo: { $command } { $example }
example-search = copia de seguridad
example-ask = ¿cómo instalo el bot?
new-conversation = Conversación nueva: lo anterior queda olvidado.
no-sources = Aún no hay fuentes: pregunta algo primero.
no-such-source =
    { $count ->
        [one] La última respuesta solo tiene una fuente.
       *[other] La última respuesta tiene { $count } fuentes: elige de la 1 a la { $count }.
    }
no-more-pages = No hay más páginas que mostrar.
cancelled = Pregunta detenida.
goodbye = ¡Hasta luego!
turn-failed = No pude responder: { $reason }

speaker-user = Usuario
speaker-oracle = Oráculo

why-heading = Por qué
why-relevance = Relevancia { $relevance } (el suelo es { $floor })
why-signals = Señales:
why-terms = Términos, con su rareza:
why-failed-list = La lista { $name } ha fallado; las demás han respondido.
why-reranked = Reordenado por { $name }:
why-reranked-page = { $page } (antes, { $before })
why-reranking-failed = La reordenación de { $name } ha fallado; los pasajes siguen en el orden de la búsqueda.
