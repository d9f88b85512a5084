"""Families of pairs: two templates and the values that fill them; {0} and {1} are the two values of a pair."""

from __future__ import annotations

from typing import Final, Literal

Values = tuple[tuple[str, str], ...]
Family = tuple[str, Literal["restatement", "difference", "contradiction"], str, str, Values]

_NUMBERS: Final[Values] = (("3", "5"), ("22", "31"), ("8080", "9090"), ("1,000", "10,000"), ("7", "77"))
_PLAIN_NUMBERS: Final[Values] = (("3", "5"), ("22", "31"), ("8080", "9090"), ("12", "21"))
_NAMES: Final[Values] = (("Anna", "Marta"), ("Porto", "Gdansk"), ("Heron", "Swift"), ("Oslo", "Rome"))
_CITIES: Final[Values] = (("Lima", "Quito"), ("Bonn", "Ulm"), ("Porto", "Faro"))
_VERSIONS: Final[Values] = (("1.2", "1.20"), ("v2.0.1", "v2.0.2"), ("3.11", "3.12"))
_IDS: Final[Values] = (("ABC-12", "ABC-21"), ("INV-0042", "INV-0043"), ("T7", "T9"))
_DAYS: Final[Values] = (("Monday", "Tuesday"), ("Friday", "Sunday"))
_TAGE: Final[Values] = (("Montag", "Dienstag"), ("Freitag", "Sonntag"))
_DIAS: Final[Values] = (("lunes", "martes"), ("viernes", "domingo"))
_ZHOU: Final[Values] = (("周一", "周二"), ("星期五", "星期日"))
_HAN_CITIES: Final[Values] = (("北京", "上海"), ("广州", "深圳"), ("成都", "武汉"))
_HAN_NUMBERS: Final[Values] = (("三", "五"), ("12", "21"), ("两百", "三百"))

FAMILIES: Final[tuple[Family, ...]] = (
    # English
    ("en", "restatement", "The office in {0} has {0} rooms", "office in {0} has {0} rooms.", _NUMBERS),
    ("en", "restatement", "The {0} team is on call this week", "{0} team is on call this week!", _NAMES),
    ("en", "restatement", "On {0} the backup is verified", "The backup is verified on {0}", _DAYS),
    ("en", "restatement", "It isn't supported in {0}", "It is not supported in {0}", _VERSIONS),
    ("en", "restatement", "Ticket {0} has been closed by Ana", "The ticket {0} has been closed by Ana", _IDS),
    ("en", "restatement", "{0} doesn't like the noise", "{0} does not like the noise", _NAMES),
    ("en", "restatement", "The batch has {0} rows", "Batch has {0} rows", _NUMBERS),
    ("en", "restatement", "The user lives in {0}", "User lives in {0}.", _CITIES),
    ("en", "difference", "Order {0} has shipped to the customer", "Order {1} has shipped to the customer", _NUMBERS),
    ("en", "difference", "{0} approved the budget for May", "{1} approved the budget for May", _NAMES),
    ("en", "difference", "The customer from {0} called", "The customer from {1} called", _CITIES),
    ("en", "difference", "Fixed in {0} by the platform team", "Fixed in {1} by the platform team", _VERSIONS),
    ("en", "difference", "See {0} for the details", "See {1} for the details", _IDS),
    ("en", "difference", "Ana ate {0} apples", "Ana ate {1} apples", _PLAIN_NUMBERS),
    ("en", "difference", "{0} introduced {1} to the team", "{1} introduced {0} to the team", _NAMES),
    ("en", "difference", "The shipment moved from {0} to {1}", "The shipment moved from {1} to {0}", _CITIES),
    ("en", "difference", "Lunch with Ben on {0}", "Lunch with Ben on {1}", _DAYS),
    ("en", "difference", "The job took {0} seconds", "The job took {0} minutes", _PLAIN_NUMBERS),
    ("en", "difference", "The report lists {0} errors", "The report lists {0} errors and {1} warnings", _NUMBERS),
    ("en", "contradiction", "The limit is {0}", "The limit is {1}", _NUMBERS),
    ("en", "contradiction", "Our office is in {0}", "Our office is in {1}", _CITIES),
    ("en", "contradiction", "The release is on {0}", "The release is on {1}", _DAYS),
    ("en", "contradiction", "The current version is {0}", "The current version is {1}", _VERSIONS),
    ("en", "contradiction", "{0} will join the call", "{0} will not join the call", _NAMES),
    ("en", "contradiction", "Feature {0} is enabled", "Feature {0} is disabled", _IDS),
    ("en", "contradiction", "The shop in {0} is open", "The shop in {0} is closed", _CITIES),
    # German
    ("de", "restatement", "Der Auftrag {0} ist fertig", "Auftrag {0} ist fertig.", _PLAIN_NUMBERS),
    ("de", "restatement", "Am {0} ist die Prüfung", "Die Prüfung ist am {0}", _TAGE),
    ("de", "restatement", "Die Kundin wohnt in {0}", "die Kundin wohnt in {0}!", _CITIES),
    ("de", "restatement", "Das Ticket {0} ist zurzeit offen", "Das Ticket {0} ist offen", _IDS),
    ("de", "difference", "Auftrag {0} wurde verschickt", "Auftrag {1} wurde verschickt", _PLAIN_NUMBERS),
    ("de", "difference", "{0} hat das Budget genehmigt", "{1} hat das Budget genehmigt", _NAMES),
    ("de", "difference", "Der Kurier fährt von {0} nach {1}", "Der Kurier fährt von {1} nach {0}", _CITIES),
    ("de", "difference", "Behoben in {0} vom Team", "Behoben in {1} vom Team", _VERSIONS),
    ("de", "difference", "Essen mit Tom am {0}", "Essen mit Tom am {1}", _TAGE),
    ("de", "contradiction", "Das Limit ist {0}", "Das Limit ist {1}", _PLAIN_NUMBERS),
    ("de", "contradiction", "Die Firma liegt in {0}", "Die Firma liegt in {1}", _CITIES),
    ("de", "contradiction", "{0} kommt zum Termin", "{0} kommt nicht zum Termin", _NAMES),
    ("de", "contradiction", "Die Funktion {0} ist aktiv", "Die Funktion {0} ist inaktiv", _IDS),
    # Spanish
    ("es", "restatement", "El pedido {0} está listo", "Pedido {0} está listo.", _PLAIN_NUMBERS),
    ("es", "restatement", "El {0} es el examen", "El examen es el {0}", _DIAS),
    ("es", "restatement", "La clienta vive en {0}", "la clienta vive en {0}", _CITIES),
    (
        "es",
        "restatement",
        "El error {0} también está en la versión nueva",
        "El error {0} está en la version nueva",
        _IDS,
    ),
    ("es", "difference", "El pedido {0} fue enviado", "El pedido {1} fue enviado", _PLAIN_NUMBERS),
    ("es", "difference", "{0} aprobó el presupuesto", "{1} aprobó el presupuesto", _NAMES),
    ("es", "difference", "El camión va de {0} a {1}", "El camión va de {1} a {0}", _CITIES),
    ("es", "difference", "Corregido en {0} por el equipo", "Corregido en {1} por el equipo", _VERSIONS),
    ("es", "difference", "Comida con Luis el {0}", "Comida con Luis el {1}", _DIAS),
    ("es", "contradiction", "El máximo es {0}", "El máximo es {1}", _PLAIN_NUMBERS),
    ("es", "contradiction", "La empresa está en {0}", "La empresa está en {1}", _CITIES),
    ("es", "contradiction", "{0} viene a la cita", "{0} no viene a la cita", _NAMES),
    ("es", "contradiction", "La función {0} está activa", "La función {0} está inactiva", _IDS),
    # Chinese
    ("zh", "restatement", "客户住在{0}。", "客户住在{0}", _HAN_CITIES),
    ("zh", "restatement", "{0}我们检查备份", "我们{0}检查备份", _ZHOU),
    ("zh", "restatement", "任务{0}已经完成", "任务 {0} 已经完成！", _IDS),
    ("zh", "restatement", "仓库里有{0}个箱子", "仓库里有{0}个箱子。", _HAN_NUMBERS),
    ("zh", "difference", "订单{0}已经发货", "订单{1}已经发货", _PLAIN_NUMBERS),
    ("zh", "difference", "他从{0}飞到{1}", "他从{1}飞到{0}", _HAN_CITIES),
    ("zh", "difference", "他买了{0}个苹果", "他买了{1}个苹果", _HAN_NUMBERS),
    ("zh", "difference", "{0}和小王吃饭", "{1}和小王吃饭", _ZHOU),
    ("zh", "difference", "在{0}中修复了错误", "在{1}中修复了错误", _VERSIONS),
    ("zh", "contradiction", "上限是{0}", "上限是{1}", _PLAIN_NUMBERS),
    ("zh", "contradiction", "公司在{0}", "公司不在{0}", _HAN_CITIES),
    ("zh", "contradiction", "功能{0}已启用", "功能{0}已禁用", _IDS),
    ("zh", "contradiction", "总部是{0}", "总部是{1}", _HAN_CITIES),
)
