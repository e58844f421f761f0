@echo off
rem A double click starts Rabble: it installs uv if there is none, starts the bot, and opens its page.
rem In a terminal, words behind it are a command: .\rabble.cmd doctor
setlocal
cd /d "%~dp0"
title Rabble
rem As the prompt and PowerShell both find it, in this folder.
set "RABBLE_STARTED_AS=.\rabble.cmd"
set "PATH=%USERPROFILE%\.local\bin;%PATH%"

where uv >nul 2>nul
if not errorlevel 1 set "RABBLE_UV=uv"
if defined RABBLE_UV goto found
for %%P in (py python python3) do if not defined RABBLE_UV (
    %%P -m uv --version >nul 2>nul && set "RABBLE_UV=%%P -m uv"
)
if defined RABBLE_UV goto found
echo Rabble needs uv, which brings Python and the libraries. It is installed for you alone, by
echo   winget install --id=astral-sh.uv -e
echo or, without winget, by pip of a Python that is there.
where winget >nul 2>nul && winget install --id=astral-sh.uv -e --accept-source-agreements --accept-package-agreements
set "PATH=%LOCALAPPDATA%\Microsoft\WinGet\Links;%PATH%"
where uv >nul 2>nul
if not errorlevel 1 set "RABBLE_UV=uv"
if defined RABBLE_UV goto found
for %%P in (py python python3) do if not defined RABBLE_UV (
    %%P -m pip install --user uv >nul 2>nul && set "RABBLE_UV=%%P -m uv"
)
if defined RABBLE_UV goto found
echo.
echo uv could not be installed. Install Python 3.11 or newer from python.org, and start this again.
pause
exit /b 1

:found
set "RABBLE_RUN=run rabble"
if not exist pyproject.toml for %%W in (rabble-*.whl) do set RABBLE_RUN=tool run --from "%%~fW" rabble
if not "%~1"=="" goto command
rem The page opens as soon as the bot listens; the first start installs the libraries, which takes a minute.
rem Only looked up: a CHATBOT_PORT set here would win over the one in .env.
set "RABBLE_PORT=8765"
if exist .env for /f "tokens=2 delims==" %%N in ('findstr /b /i "CHATBOT_PORT=" .env') do set "RABBLE_PORT=%%~N"
if defined CHATBOT_PORT set "RABBLE_PORT=%CHATBOT_PORT%"
start "" /b powershell -NoProfile -WindowStyle Hidden -Command "foreach ($i in 1..600) { try { $c = New-Object Net.Sockets.TcpClient('127.0.0.1', $env:RABBLE_PORT); $c.Close(); Start-Process ('http://127.0.0.1:' + $env:RABBLE_PORT); break } catch { Start-Sleep -Milliseconds 500 } }"
%RABBLE_UV% %RABBLE_RUN%
set "RABBLE_ENDED=%errorlevel%"
if not "%RABBLE_ENDED%"=="0" pause
exit /b %RABBLE_ENDED%

:command
%RABBLE_UV% %RABBLE_RUN% %*
exit /b %errorlevel%
